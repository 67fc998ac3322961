import { once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { modern, textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { askText, formOf, shouting } from './questions.ts';
import { firstCall, play, serveReplay } from './replay-session.ts';

/** A `Server` without `McpServer`. */
function lowLevelFactory(sdk: SdkName, effects: string[]) {
  const { Server, types } = sdkNamed(sdk);
  return () => {
    const server = new Server(
      { name: 'acting', version: '1' },
      { capabilities: { tools: {}, prompts: {}, resources: {} } },
    );
    server.setRequestHandler(types.ListToolsRequestSchema, async () => ({
      tools: [{ name: 'act', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler(types.CallToolRequestSchema, async (_request, extra) => {
      await once(extra, 'effect', () => void effects.push('effect'));
      return {
        content: [{ type: 'text', text: `${await askText({ server }, 'a')} ${await askText({ server }, 'b')}` }],
      };
    });
    server.setRequestHandler(types.GetPromptRequestSchema, async () => ({
      messages: [{ role: 'user', content: { type: 'text', text: await askText({ server }, 'a') } }],
    }));
    server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params }) => ({
      contents: [{ uri: params.uri, text: await askText({ server }, 'a') }],
    }));
    return server;
  };
}

describe.each(['newest', 'oldest'] as const)(
  '[P4e] a low-level Server whose handlers ask in mid-body (%s SDK v1)',
  (sdk) => {
    it('is served: a tool, with its effects once', async () => {
      const effects: string[] = [];
      const { rounds, answer } = await play(serveReplay(lowLevelFactory(sdk, effects)), shouting);
      expect(rounds).toStrictEqual([[formOf('a')], [formOf('b')]]);
      expect([textOf(answer), effects]).toEqual(['A B', ['effect']]);
    });

    it.each([
      ['a prompt', modern('prompts/get', { name: 'act' }, { capabilities: ALL_CAPABILITIES })],
      ['a resource', modern('resources/read', { uri: 'act://it' }, { capabilities: ALL_CAPABILITIES })],
    ])('is served: %s', async (_name, request) => {
      const { rounds, answer } = await play(serveReplay(lowLevelFactory(sdk, [])), shouting, { request });
      expect(rounds).toStrictEqual([[formOf('a')]]);
      expect(JSON.stringify(answer['result'])).toContain('"text":"A"');
    });

    it('does not make an error of the suspension: the client gets the ask', async () => {
      const served = serveReplay(lowLevelFactory(sdk, []));
      const { answer } = await served.tell(firstCall());
      expect(answer['error']).toBeUndefined();
      expect(served.events).toEqual([]);
    });
  },
);
