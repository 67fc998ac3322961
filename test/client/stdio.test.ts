import { callTool, pendingAsk, type ReceivedAsk } from 'mcp-dual-era/client';
import { describe, expect, it } from 'vitest';
import { modernProcess } from '../serve/modern-session.ts';
import { sdkNamed } from '../support/sdk.ts';
import { ADA, connectHost, textOf } from './host.ts';
import { scriptedProcess } from './scripted-process.ts';

describe('[C2d] a modern server on stdio', () => {
  it('is answered: all four kinds, a prompt, a resource, many rounds', async () => {
    const options = { eras: 'modern' } as const;
    const { client, asked } = await connectHost(modernProcess({ factory: 'asking', isQuiet: true, options }));
    expect(textOf(await client.callTool({ name: 'all', arguments: {} }))).toBe('Ada accept short file:///home/ada');
    expect(textOf(await client.callTool({ name: 'count', arguments: { to: 3 } }))).toBe('Ada Ada Ada in 3');
    expect(await client.getPrompt({ name: 'greet' })).toMatchObject({ messages: [{ content: { text: 'Greet Ada' } }] });
    expect(await client.readResource({ uri: 'note://mine' })).toMatchObject({ contents: [{ text: 'A note of Ada' }] });
    expect(asked).toHaveLength(9);
    await client.close();
  });

  it('is answered by hand', async () => {
    const { target } = scriptedProcess('modern');
    const { client } = await connectHost(target, { options: { inputRequired: 'return' } });
    const asked = (await callTool(client, { name: 'ask', arguments: { to: 1 } })) as ReceivedAsk;
    expect(pendingAsk(asked)).toMatchObject({ method: 'tools/call', requestState: 'a-secret-state' });
    const changed = { name: 'ask', arguments: { to: 2 }, inputResponses: { who: ADA } };
    await expect(callTool(client, { ...changed, requestState: 'a-secret-state' })).rejects.toMatchObject({
      code: 'ARGUMENTS_CHANGED',
    });
  });

  it('is told when a call is aborted', async () => {
    const { types } = sdkNamed('newest');
    const { target } = scriptedProcess('modern');
    const { client } = await connectHost(target);
    const abort = new AbortController();
    const told = new Promise<void>((resolve) => {
      client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => {
        if (params.data === 'hanging') abort.abort(new Error('Enough'));
        if (params.data === 'cancelled') resolve();
      });
    });
    const call = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: abort.signal });
    await expect(call).rejects.toThrow('Enough');
    await told;
  });
});
