/** Has the factory make a server, and sees what its handlers send, before any middleware does. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInputRequiredResult } from '../core/input-required.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Ports } from '../core/options.ts';
import { protocolOf, requireFree } from '../handshake/install.ts';
import type { ServeContext } from '../serving/serve-options.ts';
import type { EffectLog, Effects } from './effects.ts';

/** What a factory is told: as `createMcpHandler` tells it, and what only a test has. */
export interface TestContext extends ServeContext {
  /** The clock of this run, for a server that the factory wraps itself: `withInputRequiredShim(server, { ports })`. */
  readonly ports: Pick<Ports, 'clock'>;
  /** Where side effects are told, for `checkReentrancy`. */
  readonly effects: Effects;
}

/** Makes a fresh server. A factory for `createMcpHandler` is one. */
export type TestFactory = (context: TestContext) => McpServer | Server | Promise<McpServer | Server>;

interface Watcher {
  readonly log: EffectLog;
  readonly onAsk: (ask: JsonObject) => void;
}

// A server that has been played is closed, and its handlers are watched already.
const made = new WeakSet<object>();

/**
 * Makes a server whose returned asks go to `onAsk` as its handler gave them: with their keys, which a handshake client
 * never sees, and told apart from questions in mid-body. Each call that reaches it is a run of its handler in `log`.
 *
 * @throws what the factory throws, and TypeError when it returns a server a second time.
 */
export async function makeServer(
  factory: TestFactory,
  context: Omit<TestContext, 'effects'>,
  { log, onAsk }: Watcher,
): Promise<McpServer | Server> {
  const server = await log.making(() => factory({ ...context, effects: { note: log.note } }));
  if (typeof server === 'object' && server !== null && made.has(server)) {
    throw new TypeError(
      'The factory must make a new server each time that it is called, got the one that it made before',
    );
  }
  requireFree(server);
  made.add(server);
  const protocol = protocolOf(server, 'The factory');
  const connect = protocol.connect;
  protocol.connect = async (transport) => {
    await connect.call(protocol, transport);
    // The shim's own, where there is one: SDK v1 holds what it was given last.
    if (protocol.transport !== undefined) watch(protocol.transport, { log, onAsk });
  };
  return server;
}

function watch(transport: Transport, { log, onAsk }: Watcher): void {
  const { send, onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if ('method' in message && 'id' in message) log.inRun(() => onmessage?.(message, extra));
    else onmessage?.(message, extra);
  };
  transport.send = (message, options) => {
    const result: unknown = 'result' in message ? message.result : undefined;
    if (isJsonObject(result) && isInputRequiredResult(result)) onAsk(result);
    return send.call(transport, message, options);
  };
}
