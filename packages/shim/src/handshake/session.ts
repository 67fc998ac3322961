/** What the parts of one handshake connection share. */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { AskKind } from '../core/embedded-request.ts';
import type { DualEraEvent, EventHook } from '../core/events.ts';
import type { Holds } from '../core/holds.ts';
import type { JsonRpcAnswer, JsonRpcNotification, JsonRpcRequest, RequestId } from '../core/json-rpc.ts';
import type { Ports, ResolvedOptions } from '../core/options.ts';
import type { RequestStateCodec } from '../core/request-state.ts';
import { hasKind } from '../core/revision.ts';
import { createEmitter, type Emitter } from './emit.ts';
import { coreOf, type HoldsCore } from './holds.ts';
import { resolvePorts } from './platform.ts';
import type { ShimSettings } from './settings.ts';
import { NextTurn } from './wait.ts';

export type Message = JsonRpcRequest | JsonRpcNotification | JsonRpcAnswer;

/** The two ends of the connection: the client, over the wrapped transport, and SDK v1. */
export interface Wire {
  /** Sends to the client, on the stream of the call that the options name. Rejects when it cannot. */
  send(message: Message, options?: TransportSendOptions): Promise<void>;
  /** Hands a message to SDK v1, as if it had just arrived. */
  deliver(message: Message, extra: MessageExtraInfo | undefined): void;
  reportError(error: Error): void;
}

/** A question that is out. */
export interface OpenLeg {
  /** Settles the leg with the client's answer; false when the answer is another caller's and was ignored. */
  take(answer: JsonRpcAnswer, extra: MessageExtraInfo | undefined): boolean;
}

export interface Session {
  readonly options: ResolvedOptions;
  readonly ports: Ports;
  readonly emitter: Emitter;
  readonly wire: Wire;
  /** Starts every leg and call id of this connection, and of no other. */
  readonly idPrefix: string;
  /** By the id of their requests. */
  readonly openLegs: Map<RequestId, OpenLeg>;
  readonly turn: NextTurn;
  readonly codec: RequestStateCodec;
  /** Set by the handshake; undefined until it is done. */
  revision: string | undefined;
  kinds: ReadonlySet<AskKind>;
  /** Whether the client declared a kind of question, and the negotiated revision can say it. */
  readonly canAsk: (kind: AskKind) => boolean;
  /** False with `withoutInputRequiredShim`: every ask is checked and then refused. */
  readonly isFulfilling: boolean;
  /** The places for held calls; undefined where those are neither bounded nor counted. */
  readonly holds: HoldsCore | undefined;
}

/** A session over `wire`. @param hinted - the holds of a server that has none of its own. */
export function startSession(wire: Wire, settings: ShimSettings, hinted: Holds | undefined): Session {
  const { options, codec, isFulfilling } = settings;
  const ports = resolvePorts(settings.ports);
  const holds = coreOf(options.holds ?? hinted);
  const session: Session = {
    options,
    ports,
    emitter: createEmitter(options.onEvent, ports.warn, listenersOf(options, holds)),
    wire,
    idPrefix: `dual-era-${ports.randomId()}.`,
    openLegs: new Map(),
    turn: new NextTurn(ports.clock),
    codec,
    revision: undefined,
    kinds: new Set(),
    isFulfilling,
    holds,
    canAsk: (kind) => canAsk(session, kind),
  };
  return session;
}

function canAsk({ isFulfilling, revision, kinds }: Session, kind: AskKind): boolean {
  return isFulfilling && revision !== undefined && kinds.has(kind) && hasKind(revision, kind);
}

function listenersOf({ telemetry }: ResolvedOptions, holds: HoldsCore | undefined): readonly EventHook[] {
  return [
    ...(holds === undefined ? [] : [(event: DualEraEvent) => holds.figures.take(event)]),
    ...(telemetry === undefined ? [] : [(event: DualEraEvent) => telemetry.onEvent(event)]),
  ];
}
