/** A transport around the user's own: SDK v1 talks to it, and it talks to the client. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError } from '../core/errors.ts';
import { type InputRequiredOptions, type ResolvedOptions, resolveOptions } from '../core/options.ts';
import { Connection } from './connection.ts';
import { createEmitter, warnOnce } from './emit.ts';
import { resolvePorts } from './platform.ts';
import type { Message, Session, Wire } from './session.ts';
import { startWatchingStdin } from './stdin-end.ts';
import { NextTurn } from './wait.ts';
import { watchHttp } from './watch-http.ts';

const WRAPPED: unique symbol = Symbol.for('mcp-dual-era.transport.1');

/** How a shim transport is to treat asks: resolved options, and whether to fulfil or only to check and refuse. */
export interface ShimSettings {
  readonly options: ResolvedOptions;
  readonly ports: InputRequiredOptions['ports'];
  readonly isFulfilling: boolean;
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
  return { options: resolved, ports, isFulfilling };
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
      if (typeof value !== 'function') return value;
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
  [WRAPPED]: true;
};

function createMembers(inner: Transport, settings: ShimSettings): OwnMembers {
  const ports = resolvePorts(settings.ports);
  // What the user has set before connect goes on hearing the wire as it is: legs and all, and no call twice.
  const before = { onclose: inner.onclose, onerror: inner.onerror, onmessage: inner.onmessage };
  const wire: Wire = {
    send: (message, options) => {
      try {
        return inner.send(message as JSONRPCMessage, options);
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
    emitter: createEmitter(settings.options.onEvent, ports.warn),
    wire,
    idPrefix: `dual-era-${ports.randomId()}.`,
    openLegs: new Map(),
    turn: new NextTurn(ports.clock),
    revision: undefined,
    kinds: new Set(),
    isFulfilling: settings.isFulfilling,
  };
  const connection = new Connection(session);
  const isHttp = watchHttp(inner, connection.ids);
  let stopWatching = (): void => undefined;

  const onStdinEnd = (): void => {
    connection.endOfInput(() => void inner.close().catch(wire.reportError));
  };
  const own: OwnMembers = {
    [WRAPPED]: true,
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
      inner.onclose = () => {
        stopWatching();
        connection.close();
        before.onclose?.();
        own.onclose?.();
      };
      inner.onerror = (error) => {
        before.onerror?.(error);
        own.onerror?.(error);
      };
      inner.onmessage = (message, extra) => {
        before.onmessage?.(message, extra);
        connection.receive(message as Message, extra);
      };
      if (isHttp) await inner.start();
      else stopWatching = await startWatchingStdin(() => inner.start(), onStdinEnd);
    },
    send: (message, options) => connection.send(message as Message, options),
    close: () => inner.close(),
  };
  return own;
}
