import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, modern, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const COMPLETE = {
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'features', version: '1', title: 'All features' } },
};
const CACHED = { ...COMPLETE, ttlMs: 0, cacheScope: 'private' };

describeModern('[M1b] the features of an SDK v1 server for a modern client', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  const resultOf = async (method: string, params: Json = {}) =>
    (await session.tell(modern(method, params))).answer['result'] as Json;

  it('have tools', async () => {
    const names = ((await resultOf('tools/list'))['tools'] as Json[]).map(({ name }) => name);
    expect(names).toEqual(['echo', 'steps', 'log', 'wait', 'extra', 'client', 'sign_in', 'liar', 'change']);
    expect(await resultOf('tools/call', { name: 'echo', arguments: { text: 'hi' } })).toStrictEqual({
      content: [{ type: 'text', text: 'hi' }],
      ...COMPLETE,
    });
  });

  it('have prompts', async () => {
    const prompt = { name: 'brief', arguments: [{ name: 'language', required: true }] };
    expect(await resultOf('prompts/list')).toStrictEqual({ prompts: [prompt], ...CACHED });
    expect(await resultOf('prompts/get', { name: 'brief', arguments: { language: 'latin' } })).toStrictEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Brief in latin' } }],
      ...COMPLETE,
    });
  });

  it('have resources and templates', async () => {
    const resource = { uri: 'file:///cfg.json', name: 'cfg' };
    expect(await resultOf('resources/list')).toStrictEqual({ resources: [resource], ...CACHED });
    const template = { name: 'page', uriTemplate: 'page:///{name}' };
    expect(await resultOf('resources/templates/list')).toStrictEqual({ resourceTemplates: [template], ...CACHED });
    expect(await resultOf('resources/read', { uri: 'file:///cfg.json' })).toStrictEqual({
      contents: [{ uri: 'file:///cfg.json', text: '{}' }],
      ...CACHED,
    });
    expect(await resultOf('resources/read', { uri: 'page:///one' })).toMatchObject({
      contents: [{ uri: 'page:///one', text: 'Page one' }],
    });
  });

  it.each([
    ['a prompt', { type: 'ref/prompt', name: 'brief' }, { name: 'language', value: 'e' }, ['english', 'estonian']],
    ['a template', { type: 'ref/resource', uri: 'page:///{name}' }, { name: 'name', value: '' }, ['one', 'two']],
  ])('complete an argument of %s', async (_name, ref, argument, values) => {
    const { completion, ...stamp } = await resultOf('completion/complete', { ref, argument });
    expect(completion).toMatchObject({ values, total: 2, hasMore: false });
    expect(stamp).toStrictEqual(COMPLETE);
  });

  it('reject arguments as the tool does, with a result', async () => {
    const result = await resultOf('tools/call', { name: 'echo', arguments: { text: 5 } });
    expect(result).toMatchObject({ isError: true, resultType: 'complete' });
    expect(result['content'][0].text).toContain('Invalid arguments for tool echo');
  });

  it('answer requests that are under way at once, each its own', async () => {
    const requests = Array.from({ length: 20 }, (_, index) => callOf('echo', { text: `echo ${index}` }));
    await Promise.all(requests.map((request) => session.peer.send(request)));
    const heard = new Map<unknown, string>();
    for (const _ of requests) {
      const answer = await session.peer.next();
      heard.set(answer['id'], textOf(answer));
    }
    expect(requests.map(({ id }) => heard.get(id))).toEqual(requests.map((_, index) => `echo ${index}`));
  });
});
