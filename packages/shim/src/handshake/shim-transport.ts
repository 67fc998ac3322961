/** A transport around the user's own: SDK v1 talks to it, and it talks to the client. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError } from '../core/errors.ts';
import type { DualEraEvent, EventHook } from '../core/events.ts';
import { type InputRequiredOptions, isCodec, type ResolvedOptions, resolveOptions } from '../core/options.ts';
import type { RequestStateCodec } from '../core/request-state.ts';
import { createMiddlewareCodec } from '../state/codec.ts';
import type { StateKey } from '../state/keys.ts';
import { openableOf } from '../state/openable.ts';
import { Connection } from './connection.ts';
import { createEmitter, warnOnce } from './emit.ts';
import { hintsOf } from './hints.ts';
import { coreOf, type HoldsCore } from './holds.ts';
import { currentExchange } from './http-exchange.ts';
import { resolvePorts } from './platform.ts';
import { canAsk, type Message, type Session, type Wire } from './session.ts';
import { startWatchingStdin } from './stdin-end.ts';
import { StreamGrace } from './stream-grace.ts';
import { NextTurn } from './wait.ts';
import { watchHttp } from './watch-http.ts';

const WRAPPED: unique symbol = Symbol.for('mcp-dual-era.transport.1');

/** How a shim transport is to treat asks: resolved options, and whether to fulfil or only to check and refuse. */
export interface ShimSettings {
  readonly options: ResolvedOptions;
  readonly ports: InputRequiredOptions['ports'];
  readonly isFulfilling: boolean;
  readonly codec: RequestStateCodec;
  /** The same codec with other keys in place of its ephemeral one; undefined where it has keys, or is the user's own. */
  readonly rekey: ((keys: () => readonly StateKey[]) => RequestStateCodec) | undefined;
}

/**
 * Checks `options`, and warns of a round time-out that looks like seconds.
 *
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds.
 */
export function settingsOf(options: InputRequiredOptions | undefined, isFulfilling: boolean): ShimSettings {
  const resolved = resolveOptions(options);
  const ports = options?.ports;
  if (resolved.roundTimeout < 1_000) {
    const message =
      `mcp-dual-era: roundTimeout is ${resolved.roundTimeout} ms, less than a person needs to answer. ` +
      'It is in milliseconds; other SDKs count theirs in seconds.';
    warnOnce('roundTimeout', message, resolvePorts(ports).warn);
  }
  // Before a transport is there: a wrong one is told of where it was given.
  coreOf(resolved.holds);
  const { codec, rekey } = codecOf(options);
  // One of ours knows how much it seals.
  const maxStateBytes = openableOf(codec)?.maxBytes ?? resolved.maxStateBytes;
  return { options: { ...resolved, maxStateBytes }, ports, isFulfilling, codec, rekey };
}

function codecOf({ requestState = {}, subject }: InputRequiredOptions = {}): Pick<ShimSettings, 'codec' | 'rekey'> {
  if (isCodec(requestState)) return { codec: requestState, rekey: undefined };
  const options = { ...requestState, subject: requestState.subject ?? subject };
  const codec = createMiddlewareCodec(options);
  const isEphemeral = openableOf(codec)?.isEphemeral === true;
  return { codec, rekey: isEphemeral ? (keys) => createMiddlewareCodec(options, keys) : undefined };
}

/**
 * Wraps a transport so that a server connected to it can return asks. `withInputRequiredShim` does this for every
 * transport of a server; this is for those who call `connect` where the server cannot be wrapped.
 *
 * @throws TypeError and RangeError as `withInputRequiredShim` does, and DualEraError `ALREADY_WRAPPED` when `transport`
 * is wrapped already.
 */
export function shimTransport(transport: Transport, options?: InputRequiredOptions): Transport {
  return wrapTransport(transport, settingsOf(options, true));
}

/** The revision negotiated over `transport`, where it is a wrapped one; undefined otherwise, and before the handshake. */
export function revisionOf(transport: Transport): string | undefined {
  return WRAPPED in transport ? (transport as unknown as OwnMembers)[WRAPPED].revision : undefined;
}

/** Wraps `inner`. Members that are not the transport interface's own are read from and written to `inner`. */
export function wrapTransport(inner: Transport, settings: ShimSettings): Transport {
  if (WRAPPED in inner) {
    throw new DualEraError(
      'ALREADY_WRAPPED',
      'This transport is wrapped by the input-required shim already. ' +
        'Wrap either the server (withInputRequiredShim) or the transport (shimTransport), once.',
    );
  }
  const bound = new WeakMap<object, unknown>();
  // Behind the own members, so that the ones SDK v1 reads for every message are plain ones.
  const others = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'constructor') return value;
      // Bound, so that methods which use private members find them.
      if (!bound.has(value)) bound.set(value, value.bind(target));
      return bound.get(value);
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
  return Object.setPrototypeOf(createMembers(inner, settings), others) as Transport;
}

/** The members of the transport interface that the shim answers itself. */
type OwnMembers = Pick<Transport, 'start' | 'send' | 'close' | 'onclose' | 'onerror' | 'onmessage' | 'sessionId'> & {
  [WRAPPED]: Pick<Session, 'revision'>;
};

function createMembers(inner: Transport, settings: ShimSettings): OwnMembers {
  const ports = resolvePorts(settings.ports);
  const hints = hintsOf(inner);
  const holds = coreOf(settings.options.holds ?? hints.holds);
  const wire: Wire = {
    send: (message, options) => {
      try {
        // Also of a transport that returns no promise.
        return Promise.resolve(inner.send(message as JSONRPCMessage, options));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    deliver: (message, extra) => own.onmessage?.(message as JSONRPCMessage, extra),
    reportError: (error) => own.onerror?.(error),
  };
  const session: Session = {
    options: settings.options,
    ports,
    emitter: createEmitter(settings.options.onEvent, ports.warn, listenersOf(settings.options, holds)),
    wire,
    idPrefix: `dual-era-${ports.randomId()}.`,
    openLegs: new Map(),
    turn: new NextTurn(ports.clock),
    codec: settings.codec,
    revision: undefined,
    kinds: new Set(),
    isFulfilling: settings.isFulfilling,
    holds,
    canAsk: (kind) => canAsk(session, kind),
  };
  const connection = new Connection(session, () => currentExchange(inner));
  const isHttp = watchHttp(inner, connection.ids, new StreamGrace(hints.disconnectGrace, ports.clock));
  let stopWatching = (): void => undefined;

  const onInputEnd = (): void => {
    connection.endOfInput(() => void inner.close().catch(wire.reportError));
  };
  const own: OwnMembers = {
    [WRAPPED]: session,
    onclose: undefined,
    onerror: undefined,
    onmessage: undefined,
    get sessionId() {
      return inner.sessionId;
    },
    set sessionId(id) {
      inner.sessionId = id;
    },
    async start() {
      // What the user has set before goes on hearing the wire as it is: legs and all, and no call twice.
      const { onclose, onerror, onmessage } = inner;
      const before = { onclose, onerror, onmessage };
      connection.open();
      inner.onclose = () => {
        stopWatching();
        connection.close();
        before.onclose?.();
        own.onclose?.();
        // Who starts it again sets them anew, and is not to be told twice.
        own.onclose = undefined;
        own.onerror = undefined;
        own.onmessage = undefined;
      };
      inner.onerror = (error) => {
        before.onerror?.(error);
        own.onerror?.(error);
      };
      inner.onmessage = (message, extra) => {
        before.onmessage?.(message, extra);
        connection.receive(message as Message, extra);
      };
      if (hints.onInputEnd !== undefined) stopWatching = hints.onInputEnd(onInputEnd);
      if (isHttp || hints.onInputEnd !== undefined) await inner.start();
      else stopWatching = await startWatchingStdin(() => inner.start(), onInputEnd);
    },
    send: (message, options) => connection.send(message as Message, options),
    close: () => inner.close(),
  };
  return own;
}

function listenersOf({ telemetry }: ResolvedOptions, holds: HoldsCore | undefined): readonly EventHook[] {
  return [
    ...(holds === undefined ? [] : [(event: DualEraEvent) => holds.figures.take(event)]),
    ...(telemetry === undefined ? [] : [(event: DualEraEvent) => telemetry.onEvent(event)]),
  ];
}
