import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type InputRequiredOptions, inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { ADA, FACES, modern, openEndpoint, textOf } from './session-endpoint.ts';

describe.each(FACES)('[M3l] inputRequired: false (through %s)', (face) => {
  it('leaves sessions without the shim: an ask is a loud error, and nobody is asked', async () => {
    const endpoint = await openEndpoint({ inputRequired: false }, { face });
    const { peer, streams } = await endpoint.open();
    const id = await peer.callTool('ask');
    const answer = await peer.next();
    expect(answer).toMatchObject({ id, result: { isError: true } });
    expect(textOf(answer)).toMatch(/middleware/);
    expect(streams.post(id).messages).toHaveLength(1);
    expect(endpoint.runs).toEqual(['ask']);
  });

  it('serves calls that ask nothing as ever', async () => {
    const endpoint = await openEndpoint({ inputRequired: false }, { face });
    const { peer } = await endpoint.open();
    await peer.callTool('echo', { text: 'plain' });
    expect(textOf(await peer.next())).toBe('plain');
  });

  it('leaves the modern leg as it is: an ask travels as a result', async () => {
    const endpoint = await openEndpoint({ inputRequired: false }, { face });
    const params = { name: 'ask', arguments: {} };
    const capabilities = { elicitation: {} };
    const response = await endpoint.send(modern('tools/call', params, { capabilities }));
    expect(await response.json()).toMatchObject({
      result: { resultType: 'input_required', inputRequests: { who: { method: 'elicitation/create' } } },
    });
  });
});

describe('a server that the factory has wrapped', () => {
  const wrapped = (options: InputRequiredOptions) => (): McpServer => {
    const server = new McpServer({ name: 'wrapped', version: '1' });
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    server.registerTool('ask', {}, async (extra) => {
      const { round } = inputContext(extra);
      const who = inputRequired.elicit({ message: `Your name? ${round}`, requestedSchema });
      return inputRequired({ inputRequests: { [`who${round}`]: who } });
    });
    return withInputRequiredShim(server, options);
  };

  it('keeps its own options', async () => {
    const endpoint = await openEndpoint({}, { factory: wrapped({ maxRounds: 1 }) });
    const { peer } = await endpoint.open();
    await peer.callTool('ask');
    await peer.answer(await peer.next(), ADA);
    const answer = await peer.next();
    expect(answer['result']._meta['mcp-dual-era/outcome']).toMatchObject({ reason: 'rounds-exceeded', round: 2 });
    expect(endpoint.events).toEqual([]);
  });

  it('has its holds counted all the same, and asks although inputRequired is false', async () => {
    const endpoint = await openEndpoint({ inputRequired: false }, { factory: wrapped({ maxRounds: 1 }) });
    const { peer } = await endpoint.open();
    await peer.callTool('ask');
    const leg: Json = await peer.next();
    expect(leg['method']).toBe('elicitation/create');
    expect(endpoint.handler.stats().holds.held).toBe(1);
    await peer.answer(leg, ADA);
    await peer.next();
    expect(endpoint.handler.stats().holds.held).toBe(0);
  });
});
