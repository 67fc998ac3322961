/** Puts the shim on a server: every transport it connects to is wrapped. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { DualEraError } from '../core/errors.ts';
import { describeValue } from '../core/json.ts';
import type { InputRequiredOptions } from '../core/options.ts';
import { hintsOf } from './hints.ts';
import { type ShimSettings, settingsOf } from './settings.ts';
import { wrapTransport } from './shim-transport.ts';

const INSTALLED = Symbol.for('mcp-dual-era.installed.1');

// On globalThis, so that a server wrapped by the ESM build is known to the CJS build.
const holder = globalThis as unknown as { [INSTALLED]?: WeakMap<object, ShimSettings> };
holder[INSTALLED] ??= new WeakMap();
const installed: WeakMap<object, ShimSettings> = holder[INSTALLED];

/**
 * Lets the handlers of `server` return asks on handshake connections: each ask is fulfilled with live requests to the
 * client, and the handler runs again with the answers (spec: basic/patterns/mrtr). Call it before `connect`, before or
 * after registering handlers. After `withoutInputRequiredShim` it switches the shim back on.
 *
 * @returns `server` itself.
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds.
 * @throws {@link DualEraError} `ALREADY_CONNECTED` after `connect`, `ALREADY_WRAPPED` the second time, `NOT_A_SERVER`
 * when `server` is neither an `McpServer` nor a `Server` of SDK v1.
 */
export function withInputRequiredShim<S extends McpServer | Server>(server: S, options?: InputRequiredOptions): S {
  return install(server, settingsOf(options, true), 'withInputRequiredShim');
}

/**
 * The switch: asks are checked as ever, and then refused loudly (`shim-off`) instead of being sent. Call it before
 * `connect`, on a server that is wrapped or on one that is not.
 *
 * @returns `server` itself.
 * @throws the same as `withInputRequiredShim`.
 */
export function withoutInputRequiredShim<S extends McpServer | Server>(server: S, options?: InputRequiredOptions): S {
  return install(server, settingsOf(options, false), 'withoutInputRequiredShim');
}

/** @throws DualEraError `ALREADY_CONNECTED` when `server`, of a factory's, serves somebody else. */
export function requireFree(server: McpServer | Server): void {
  if (protocolOf(server, 'The factory').transport === undefined) return;
  throw new DualEraError(
    'ALREADY_CONNECTED',
    'The factory returned a server that is connected. Return a new one for each call.',
  );
}

/** How `server` was wrapped; undefined when it was not. */
export function settingsOfServer(server: McpServer | Server): ShimSettings | undefined {
  return installed.get(protocolOf(server, 'The serving entry'));
}

/** Puts the shim on `server`, unless it has it already: a server that was wrapped keeps its own options. */
export function ensureShim(server: McpServer | Server, settings: ShimSettings): void {
  const protocol = protocolOf(server, 'The serving entry');
  if (installed.has(protocol)) return;
  installed.set(protocol, settings);
  wrapConnect(protocol);
}

function install<S extends McpServer | Server>(server: S, settings: ShimSettings, caller: string): S {
  const protocol = protocolOf(server, caller);
  if (protocol.transport !== undefined) {
    throw new DualEraError('ALREADY_CONNECTED', `Call ${caller} before server.connect(): this server is connected.`);
  }
  const before = installed.get(protocol);
  if (before?.isFulfilling === settings.isFulfilling) {
    throw new DualEraError(
      'ALREADY_WRAPPED',
      `Call ${caller} once for a server: this one has been given to it before.`,
    );
  }
  installed.set(protocol, settings);
  if (before === undefined) wrapConnect(protocol);
  return server;
}

function wrapConnect(protocol: Server): void {
  const connect = protocol.connect;
  protocol.connect = async (transport) => {
    const settings = hintsOf(transport).isModern ? undefined : installed.get(protocol);
    await connect.call(protocol, settings === undefined ? transport : wrapTransport(transport, settings));
  };
}

/** The object whose `connect` does the work: an `McpServer` passes its own on to the `Server` it holds. */
export function protocolOf(server: McpServer | Server, caller: string): Server {
  const candidate = typeof server === 'object' && server !== null && 'server' in server ? server.server : server;
  if (typeof candidate === 'object' && candidate !== null && typeof candidate.connect === 'function') return candidate;
  throw new DualEraError(
    'NOT_A_SERVER',
    `${caller} needs an McpServer or a Server of @modelcontextprotocol/sdk, got ${describeValue(server)}`,
  );
}
