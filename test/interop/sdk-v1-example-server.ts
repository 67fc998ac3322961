/**
 * Serves an example server of SDK v1's own, unmodified, to both eras on stdin and stdout: `<sdk> <example> <file>`. The
 * events go to the file, one a line.
 *
 * None of them exports its server, and each connects it to a transport of its own. So `connect`, which is public, is taken
 * over before the example is loaded: a server on its way to the example's transport goes to the serving entry instead. An
 * example on HTTP makes its server when a client initializes, so it is sent an `initialize`, at a port of the system's
 * choice, and closed again.
 */
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { serveStdio } from 'mcp-dual-era/serve';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

const [sdk, example, file] = process.argv.slice(2) as [SdkName, string, string];
const { McpServer, StdioServerTransport, StreamableHTTPServerTransport } = sdkNamed(sdk);

// What the examples print goes to stdout, which is the protocol's here.
console.log = () => undefined;
// Both spellings of the port, 0 being the system's choice.
Object.assign(process.env, { PORT: '0', MCP_PORT: '0' });

const found = new EventEmitter<{ server: [InstanceType<typeof McpServer>]; http: [HttpServer] }>();
const caught = once(found, 'server') as Promise<[InstanceType<typeof McpServer>]>;
found.once('http', (http) => void initialize(http));

const { connect } = McpServer.prototype;
McpServer.prototype.connect = async function (transport: Transport) {
  const isOwn = transport instanceof StdioServerTransport || transport instanceof StreamableHTTPServerTransport;
  if (!isOwn) return connect.call(this, transport);
  found.emit('server', this);
};
const { listen } = HttpServer.prototype;
HttpServer.prototype.listen = function (this: HttpServer, ...args: unknown[]) {
  this.once('listening', () => found.emit('http', this));
  return Reflect.apply(listen, this, args) as HttpServer;
} as typeof listen;

const name = sdk === 'newest' ? '@modelcontextprotocol/sdk' : 'sdk-v1-oldest';
await import(`${name}/examples/server/${example}.js`);
const [server] = await caught;

serveStdio(() => server, {
  pushCalls: 'replay',
  inputRequired: { onEvent: (event) => appendFileSync(file, `${JSON.stringify(event)}\n`) },
});

async function initialize(http: HttpServer): Promise<void> {
  const { port } = http.address() as AddressInfo;
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'catcher', version: '1' } };
  const aborting = new AbortController();
  // Nobody answers: its transport is not connected.
  const asking = fetch(`http://localhost:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    signal: aborting.signal,
  }).catch(() => undefined);
  await caught;
  aborting.abort();
  await asking;
  http.close();
}
