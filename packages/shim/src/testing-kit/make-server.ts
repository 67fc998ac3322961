/** Has the factory make a server, and sees what its handlers send, before any middleware does. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Ports } from '../core/options.ts';
import { protocolOf, requireFree } from '../handshake/install.ts';
import type { ServeContext } from '../serving/serve-options.ts';
import type { Effects } from './effects.ts';

/** What a factory is told: as `createMcpHandler` tells it, and what only a test has. */
export interface TestContext extends ServeContext {
  /** The clock of this run, for a server that the factory wraps itself: `withInputRequiredShim(server, { ports })`. */
  readonly ports: Pick<Ports, 'clock'>;
  /** Where side effects are told, for `checkReentrancy`. */
  readonly effects: Effects;
}

/** Makes a fresh server. A factory for `createMcpHandler` is one. */
export type TestFactory = (context: TestContext) => McpServer | Server | Promise<McpServer | Server>;

/**
 * Makes a server whose returned asks go to `onAsk` as its handler gave them: with their keys, which a handshake client
 * never sees, and told apart from questions in mid-body.
 */
export async function makeServer(
  factory: TestFactory,
  context: TestContext,
  onAsk: (ask: JsonObject) => void,
): Promise<McpServer | Server> {
  const server = await factory(context);
  requireFree(server);
  const protocol = protocolOf(server, 'The factory');
  const connect = protocol.connect;
  protocol.connect = async (transport) => {
    await connect.call(protocol, transport);
    // The shim's own, where there is one: SDK v1 holds what it was given last.
    if (protocol.transport !== undefined) watch(protocol.transport, onAsk);
  };
  return server;
}

function watch(transport: Transport, onAsk: (ask: JsonObject) => void): void {
  const { send } = transport;
  transport.send = (message, options) => {
    const result: unknown = 'result' in message ? message.result : undefined;
    if (isJsonObject(result) && isInputRequiredResult(result)) onAsk(result);
    return send.call(transport, message, options);
  };
}
