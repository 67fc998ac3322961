import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, modern, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const heardBy = (id: string | number, method: string, params: Json = {}) => ({
  jsonrpc: '2.0',
  method: `notifications/${method}`,
  params: { ...params, _meta: { [SUBSCRIPTION]: id } },
});

describeModern('[M1i] subscriptions/listen', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  const listen = async (id: string | number, notifications: Json) => {
    await session.peer.send(modern('subscriptions/listen', { notifications }, { id }));
    expect(await session.peer.next()).toStrictEqual(heardBy(id, 'subscriptions/acknowledged', { notifications }));
  };
  /** Has a change announced, and gives what is heard until the call that announced it is answered, and one more is. */
  const change = async (args: Json): Promise<Json[]> => {
    const changed = await session.tell(callOf('change', args));
    expect(textOf(changed.answer)).toBe('changed');
    const after = await session.tell(callOf('echo', { text: 'after' }));
    return [...changed.notifications, ...after.notifications];
  };
  const end = async (id: string | number) => {
    await session.giveUp(id);
    await session.tell(callOf('echo', { text: 'after' }));
  };

  it.each([
    ['tools', 'tools/list_changed', 'toolsListChanged'],
    ['prompts', 'prompts/list_changed', 'promptsListChanged'],
    ['resources', 'resources/list_changed', 'resourcesListChanged'],
  ])('hears that the list of %s has changed, from a handler', async (what, method, member) => {
    const id = `listen ${what}`;
    await listen(id, { [member]: true });
    expect(await change({ what })).toStrictEqual([heardBy(id, method)]);
    for (const other of ['tools', 'prompts', 'resources'].filter((one) => one !== what)) {
      expect(await change({ what: other })).toEqual([]);
    }
    expect(await change({ what: 'update', uri: 'file:///cfg.json' })).toEqual([]);
    await end(id);
    expect(await change({ what })).toEqual([]);
  });

  it('hears that a resource was updated, and no other one', async () => {
    await listen(7, { resourceSubscriptions: ['file:///cfg.json', 'page:///one'] });
    expect(await session.reports.next()).toEqual({ subscribed: 'file:///cfg.json' });
    expect(await session.reports.next()).toEqual({ subscribed: 'page:///one' });
    expect(await change({ what: 'update', uri: 'page:///one' })).toStrictEqual([
      heardBy(7, 'resources/updated', { uri: 'page:///one' }),
    ]);
    expect(await change({ what: 'update', uri: 'page:///two' })).toEqual([]);
    expect(await change({ what: 'tools' })).toEqual([]);
    await session.giveUp(7);
    expect(await session.reports.next()).toEqual({ unsubscribed: 'file:///cfg.json' });
    expect(await session.reports.next()).toEqual({ unsubscribed: 'page:///one' });
    expect(await change({ what: 'update', uri: 'page:///one' })).toEqual([]);
  });

  it('names itself in all that it hears, where several listen', async () => {
    await listen('both', ALL);
    await listen(0, { promptsListChanged: true });
    const heard = await change({ what: 'prompts' });
    expect(heard).toHaveLength(2);
    expect(heard).toEqual(
      expect.arrayContaining([heardBy('both', 'prompts/list_changed'), heardBy(0, 'prompts/list_changed')]),
    );
    expect(await change({ what: 'tools' })).toStrictEqual([heardBy('both', 'tools/list_changed')]);
    await end('both');
    expect(await change({ what: 'prompts' })).toStrictEqual([heardBy(0, 'prompts/list_changed')]);
    await end(0);
  });

  it('is acknowledged with nothing where it asks for nothing', async () => {
    await listen('nothing', {});
    // Over HTTP there is nothing to wait for: its stream may end at once.
    const heard = await change({ what: 'tools' });
    expect(heard.filter((message) => 'method' in message)).toEqual([]);
    await end('nothing');
  });

  it('[F21] hears what the handler of a notification announces, outside any request', async () => {
    await listen('outside', { toolsListChanged: true });
    const { id: _id, ...notification } = modern('notifications/acme/hello', { from: 'a timer' });
    const mirror = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/acme/hello' };
    await session.peer.send(notification, mirror);
    expect(await session.peer.next()).toStrictEqual(heardBy('outside', 'tools/list_changed'));
    await end('outside');
  });
});
