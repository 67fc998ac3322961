/** A program of somebody else's: one handler, asked on both eras. It prints what came of it. */

/** @param zod - where the schema builder comes from: `zod`, or `zod/v4` of zod 3.25. */
export function consumerProgram(zod: string): string {
  return `
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from '${zod}';

const answer = z.object({ name: z.string().min(2) });

function createServer() {
  const server = new McpServer({ name: 'consumer', version: '1.0.0' });
  server.registerTool('greet', { inputSchema: { greeting: z.string() } }, ({ greeting }, extra) => {
    const name = inputContext(extra).accepted('who', answer)?.name;
    if (name !== undefined) return { content: [{ type: 'text', text: greeting + ' ' + name }] };
    const who = inputRequired.elicit({ message: 'Your name?', requestedSchema: answer });
    return inputRequired({ inputRequests: { who } });
  });
  return server;
}

async function askHandshake() {
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name: 'Ada' } }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await withInputRequiredShim(createServer()).connect(far);
  await client.connect(near);
  const { content } = await client.callTool({ name: 'greet', arguments: { greeting: 'Hello' } });
  await client.close();
  return content[0].text;
}

async function askModern() {
  const handler = createMcpHandler(createServer);
  const call = async (more) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const params = { name: 'greet', arguments: { greeting: 'Hello' }, ...more, _meta };
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'greet',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      }),
    );
    return (await response.json()).result;
  };
  const ask = await call({});
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
  const retry = ask.requestState === undefined ? { inputResponses } : { inputResponses, requestState: ask.requestState };
  const { content } = await call(retry);
  await handler.close();
  return [ask.inputRequests.who.params.message, content[0].text];
}

async function run() {
  console.log(JSON.stringify({ handshake: await askHandshake(), modern: await askModern() }));
}

await run();
`;
}

export const PROGRAM_PRINTS = { handshake: 'Hello Ada', modern: ['Your name?', 'Hello Ada'] };

/** `program` as CommonJS. */
export function asCommonJs(program: string): string {
  return program
    .replaceAll(/^import (\{[^}]+\}) from ('[^']+');$/gm, 'const $1 = require($2);')
    .replaceAll(/^await /gm, 'void ');
}

/** What a consumer's types are checked with. */
export function typedProgram(zod: string): string {
  return `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createHolds, field, form, inputContext, inputRequired, sizeWorkerPool, withInputRequiredShim } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from '${zod}';

const server = withInputRequiredShim(new McpServer({ name: 'x', version: '1' }), { holds: createHolds({ max: 5 }) });
server.registerTool('x', { inputSchema: { to: z.string() } }, ({ to }, extra) => {
  const content: { n: number } | undefined = inputContext(extra).accepted('q', z.object({ n: z.number() }));
  if (content !== undefined) return { content: [{ type: 'text', text: to + content.n }] };
  const requestedSchema = form({ stage: field.choice(['a', 'b']), why: field.string({ optional: true }) });
  const deploy: { stage: 'a' | 'b'; why?: string } | undefined = inputContext(extra).accepted('d', requestedSchema);
  return inputRequired({ inputRequests: { q: inputRequired.elicit({ message: deploy?.stage ?? 'Deploy?', requestedSchema }) } });
});
export const slots: number = sizeWorkerPool({
  callsPerSecond: 2,
  rounds: 1,
  answerTime: { mean: 20_000, shape: 'exponential' },
  target: { refused: 0.01 },
}).slots;
export const handler = createMcpHandler(() => server, { inputRequired: { maxRounds: 4 } });
`;
}
