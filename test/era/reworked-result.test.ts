import { inputContext, inputRequired } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { connectPeer, said, toolServer } from '../support/own-server.ts';

const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };

const WRAPPERS: [string, (result: Json) => Json][] = [
  ['spreads it', (result) => ({ ...result })],
  ['adds members to it', (result) => ({ ...result, _meta: { timing: 7 }, extra: true })],
  ['sends it through JSON', (result) => JSON.parse(JSON.stringify(result)) as Json],
  ['clones it', (result) => structuredClone(result)],
  ['freezes it', (result) => Object.freeze(result)],
  [
    'keeps only what the protocol names',
    ({ resultType, inputRequests, requestState, content }) => ({
      ...(resultType === undefined ? {} : { resultType, inputRequests, requestState }),
      content,
    }),
  ],
];

describe('an ask that a wrapper around the handler has in its hands (F47)', () => {
  it.each(WRAPPERS)('survives a wrapper that %s', async (_name, rework) => {
    const { server } = toolServer((extra) => {
      const context = inputContext(extra);
      const name = context.accepted<{ name: string }>('who')?.name;
      const result =
        name === undefined
          ? inputRequired({
              inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
              requestState: { step: 1 },
            })
          : said(`Hello ${name}, ${JSON.stringify(context.requestState())}`);
      return rework(result) as never;
    });
    const peer = await connectPeer(server, { capabilities: { elicitation: {} } });
    await peer.callTool('tool');
    const leg = await peer.next();
    expect(leg['params']).toEqual({ mode: 'form', message: 'Your name?', requestedSchema });
    await peer.answer(leg, ADA);
    expect((await peer.next())['result'].content).toEqual([{ type: 'text', text: 'Hello Ada, {"step":1}' }]);
  });
});
