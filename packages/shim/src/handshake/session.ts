/** What the parts of one handshake connection share. */
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { AskKind } from '../core/embedded-request.ts';
import type { JsonRpcAnswer, JsonRpcNotification, JsonRpcRequest, RequestId } from '../core/json-rpc.ts';
import type { Ports, ResolvedOptions } from '../core/options.ts';
import type { RequestStateCodec } from '../core/request-state.ts';
import { hasKind } from '../core/revision.ts';
import type { Emitter } from './emit.ts';
import type { HoldsCore } from './holds.ts';
import type { NextTurn } from './wait.ts';

export type Message = JsonRpcRequest | JsonRpcNotification | JsonRpcAnswer;

/** The two ends of the connection: the client, over the wrapped transport, and SDK v1. */
export interface Wire {
  /** Sends to the client, on the stream of the call that the options name. Rejects when it cannot. */
  send(message: Message, options?: TransportSendOptions): Promise<void>;
  /** Hands a message to SDK v1, as if it had just arrived. */
  deliver(message: Message, extra: MessageExtraInfo | undefined): void;
  reportError(error: Error): void;
}

/** A question that is out: the answer to the request `id` belongs to it. */
export interface OpenLeg {
  readonly id: string;
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
  readonly openLegs: Map<RequestId, OpenLeg>;
  readonly turn: NextTurn;
  readonly codec: RequestStateCodec;
  /** Set by the handshake; undefined until it is done. */
  revision: string | undefined;
  kinds: ReadonlySet<AskKind>;
  /** Whether the client declared `kind`, and the negotiated revision can say it. */
  readonly canAsk: (kind: AskKind) => boolean;
  /** False with `withoutInputRequiredShim`: every ask is checked and then refused. */
  readonly isFulfilling: boolean;
  /** The places for held calls; undefined where those are neither bounded nor counted. */
  readonly holds: HoldsCore | undefined;
}

/** What `session.canAsk` tells. */
export function canAsk(session: Omit<Session, 'canAsk'>, kind: AskKind): boolean {
  const { revision } = session;
  return session.isFulfilling && revision !== undefined && session.kinds.has(kind) && hasKind(revision, kind);
}
