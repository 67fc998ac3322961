/** A transport around the user's own: SDK v1 talks to it, and it talks to the client. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError } from '../core/errors.ts';
import type { InputRequiredOptions } from '../core/options.ts';
import { Connection } from './connection.ts';
import { hintsOf } from './hints.ts';
import { currentExchange } from './http-exchange.ts';
import { type Message, type Session, startSession, type Wire } from './session.ts';
import { type ShimSettings, settingsOf } from './settings.ts';
import { startWatchingStdin } from './stdin-end.ts';
import { StreamGrace } from './stream-grace.ts';
import { watchHttp } from './watch-http.ts';

const WRAPPED: unique symbol = Symbol.for('mcp-dual-era.transport.1');

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
  const hints = hintsOf(inner);
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
  const session = startSession(wire, settings, hints.holds);
  const connection = new Connection(session, () => currentExchange(inner));
  const isHttp = watchHttp(inner, connection.ids, new StreamGrace(hints.disconnectGrace, session.ports.clock));
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
