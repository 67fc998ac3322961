import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputContext } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { said, toolServer } from '../support/own-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

const FORMS = { capabilities: { elicitation: {} } };

/** A client, in memory, of a server whose tool asks for a name. */
async function connectInner(): Promise<Client> {
  const { server } = toolServer((extra) => {
    const context = inputContext(extra);
    if (context.round === 0) return { content: [], ...ask({ who: form() }) };
    return said(`Hello ${context.accepted('who')?.['name']}`);
  });
  const client = new Client({ name: 'inner', version: '1' }, FORMS);
  client.setRequestHandler(ElicitRequestSchema, () => ADA as never);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

describe('a server in memory that a handler calls which itself is served over HTTP', () => {
  it.each(['newest', 'oldest'] as const)(
    'may ask, also where the HTTP answer is plain JSON (%s SDK v1)',
    async (sdk) => {
      const inner = await connectInner();
      const outer = toolServer(
        async () => {
          const { content } = await inner.callTool({ name: 'tool' });
          return { content: content as never };
        },
        {},
        sdk,
      );
      const served = await serveFactory(() => outer.server, { sdk, http: { enableJsonResponse: true } });
      onTestFinished(() => served.close());
      const { peer } = served.connect();
      await peer.handshake(FORMS);
      const id = await peer.callTool('tool');
      expect(await peer.next()).toMatchObject({ id, result: { content: [{ text: 'Hello Ada' }] } });
    },
  );
});
