import { callTool, connectDualEra, type ReceivedAsk } from 'mcp-dual-era/client';
import { describe, expect, it } from 'vitest';
import { ADA, connectHost, createHost } from './host.ts';
import { ask, calls, form, said, serveScript } from './scripted-server.ts';

const RETURN = { options: { inputRequired: 'return' } } as const;

describe('the calls behind the states that a client was given', () => {
  // Three of them are more than is remembered.
  const states = ['a', 'b', 'c'].map((name) => name.repeat(6_000_000));

  it('are remembered up to 16 777 216 characters: the oldest is forgotten first', async () => {
    const server = await serveScript(calls(...states.map((state) => ask({ who: form() }, state)), said('done')));
    const { client } = await connectHost(server.url, RETURN);
    for (const [to] of states.entries()) await callTool(client, { name: 'ask', arguments: { to } });
    const retry = (index: number): Promise<unknown> =>
      callTool(client, {
        name: 'ask',
        arguments: { to: 'other' },
        inputResponses: { who: ADA },
        requestState: states[index],
      });
    await expect(retry(1)).rejects.toMatchObject({ code: 'ARGUMENTS_CHANGED' });
    await expect(retry(2)).rejects.toMatchObject({ code: 'ARGUMENTS_CHANGED' });
    expect(await retry(0)).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('are remembered for a state that alone is more than that', async () => {
    const state = 's'.repeat(17_000_000);
    const server = await serveScript(calls(ask({ who: form() }, state), said('done')));
    const { client } = await connectHost(server.url, RETURN);
    const { requestState } = (await callTool(client, { name: 'ask' })) as ReceivedAsk;
    await expect(callTool(client, { name: 'other', requestState })).rejects.toMatchObject({
      code: 'ARGUMENTS_CHANGED',
    });
  });
});

describe('the calls behind one state that a server uses for all its asks', () => {
  const long = (letter: string) => ({ name: 'ask', arguments: { to: letter.repeat(6_000_000) } });
  const retry = (requestState: string) => ({ name: 'other', inputResponses: { who: ADA }, requestState });

  it('are remembered up to 16 777 216 characters: from then on, any call passes with it', async () => {
    const asked = ask({ who: form() }, 'same');
    const server = await serveScript(calls(asked, asked, asked, said('done')));
    const { client } = await connectHost(server.url, RETURN);
    for (const letter of ['a', 'b']) await callTool(client, long(letter));
    await expect(callTool(client, retry('same'))).rejects.toMatchObject({ code: 'ARGUMENTS_CHANGED' });
    await callTool(client, long('c'));
    expect(await callTool(client, retry('same'))).toMatchObject({ content: [{ text: 'done' }] });
    expect(await callTool(client, { ...long('a'), requestState: 'same' })).toMatchObject({
      content: [{ text: 'done' }],
    });
  });
});

describe('a request that comes before the connection is open', () => {
  it('is NOT_CONNECTED, and the connection opens all the same', async () => {
    const server = await serveScript(calls(said('done')));
    const { client } = createHost();
    const connected = connectDualEra(client, server.url);
    await expect(client.ping()).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
    expect(await connected).toEqual({ era: 'modern' });
  });
});
