import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import type { SdkName } from '../support/sdk.ts';
import { type ServedFactory, serveFactory } from '../support/serve-factory.ts';
import { createInteropServer } from './interop-server.ts';
import { CLIENTS, type Connected, connect } from './people.ts';

const ADA: Json = { action: 'accept', content: { name: 'Ada' } };

/** Every client on the newest server, and the newest client on the oldest server. */
const PAIRS = [...CLIENTS.map((client) => [client, 'newest'] as const), ['newest SDK v1', 'oldest'] as const];

describe.each(PAIRS.flatMap((pair) => (['stdio', 'http'] as const).map((transport) => [...pair, transport] as const)))(
  'a %s client, a server on the %s SDK v1, over %s',
  (name, sdk: SdkName, transport) => {
    let served: ServedFactory | undefined;
    let client: Connected;
    let answer: Json = ADA;

    beforeAll(async () => {
      if (transport === 'http') served = await serveFactory(() => createInteropServer(sdk), { sdk });
      client = await connect(name, served?.url ?? sdk, { form: () => answer });
      // Both clients check results against the schemas that they have listed.
      await client.listTools();
    }, 60_000);
    afterAll(async () => {
      await client?.close();
      await served?.close();
    });

    it('[S4] is asked all four kinds, and gets the result of the tool', async () => {
      client.asked.length = 0;
      const result = await client.callTool('everything', { to: 'Hello' });
      expect(client.asked).toEqual(['form Your name?', 'url https://mcp.example.com/connect', 'sampling', 'roots']);
      expect(result['structuredContent']).toEqual({ said: 'Hello Ada accept short file:///home/ada' });
      expect(Object.keys(result).sort()).toEqual(['content', 'structuredContent']);
    });

    it('is asked for a prompt and for a resource', async () => {
      const prompt = await client.getPrompt('greet');
      expect(prompt['messages'][0].content.text).toBe('Greet Ada');
      const resource = await client.readResource('note://mine');
      expect(resource['contents'][0].text).toBe('A note of Ada');
    });

    it('[F27] [R1] [R4] reads the refusal of a tool with an outputSchema', async () => {
      answer = { action: 'decline' };
      client.asked.length = 0;
      const result = await client.callTool('insist', {});
      answer = ADA;
      expect(client.asked).toEqual(['form Your name?']);
      expect(result).toMatchObject({
        isError: true,
        content: [
          {
            type: 'text',
            text: 'The tool insist was not completed: its question was declined (the question is "who").',
          },
        ],
        _meta: { 'mcp-dual-era/outcome': { reason: 'declined', method: 'tools/call', target: 'insist', round: 2 } },
      });
      expect(result['structuredContent']).toBeUndefined();
    });

    it('[R2] reads the refusal of a prompt as an error with the outcome', async () => {
      answer = { action: 'cancel' };
      const refusal = await client.getPrompt('greet').catch((error: unknown) => error);
      answer = ADA;
      expect(refusal).toMatchObject({ code: -32603, data: { reason: 'cancelled', method: 'prompts/get', round: 2 } });
    });
  },
);
