import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError, inputContext, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ask, form, NAME_FORM } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { connectPeer, type Extra, said, toolServer } from '../support/own-server.ts';
import { serveFactory } from '../support/serve-factory.ts';

const FORMS = { capabilities: { elicitation: {} } };
const params = { mode: 'form' as const, message: 'In the background?', requestedSchema: NAME_FORM as never };

/** A promise to be settled later, and a handler that waits for it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

type AskInBackground = (server: McpServer, extra: Extra) => Promise<unknown>;

const WAYS: [string, AskInBackground][] = [
  [
    'extra.sendRequest',
    (_server, extra) => extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema),
  ],
  [
    'server.elicitInput with relatedRequestId',
    (server, extra) => server.server.elicitInput(params, { relatedRequestId: extra.requestId }),
  ],
];

/** A tool that returns, and whose background job asks afterwards. */
function leavingServer(askInBackground: AskInBackground, before: (extra: Extra) => boolean = () => false) {
  const { open, opened } = gate();
  let caught: Promise<unknown> = Promise.resolve();
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool('tool', {}, (extra) => {
    if (before(extra)) return { content: [], ...ask({ who: form() }) };
    caught = opened.then(() => askInBackground(server, extra)).catch((error: unknown) => error);
    return said('returned');
  });
  withInputRequiredShim(server);
  return { server, open, caught: () => caught };
}

function expectCallEnded(error: unknown): void {
  expect(DualEraError.isInstance(error)).toBe(true);
  expect((error as DualEraError).code).toBe('CALL_ENDED');
  expect((error as DualEraError).message).toMatch(
    /^elicitation\/create was sent for the request \d+, which is already answered or cancelled\. Ask before the handler/,
  );
}

describe.each(WAYS)(
  'a background job that asks after its handler returned, with %s (F12)',
  (_name, askInBackground) => {
    it('is rejected at once', async () => {
      const { server, open, caught } = leavingServer(askInBackground);
      const peer = await connectPeer(server, FORMS);
      await peer.callTool('tool');
      expect((await peer.next())['result'].content[0].text).toBe('returned');
      open();
      expectCallEnded(await caught());
      expect(await peer.rest(0)).toEqual([]);
    });

    it('is rejected at once after a call that had asked', async () => {
      const { server, open, caught } = leavingServer(askInBackground, (extra) => inputContext(extra).round === 0);
      const peer = await connectPeer(server, FORMS);
      await peer.callTool('tool');
      await peer.answer(await peer.next(), ADA);
      expect((await peer.next())['result'].content[0].text).toBe('returned');
      open();
      expectCallEnded(await caught());
    });

    it('is rejected at once over HTTP', async () => {
      const { server, open, caught } = leavingServer(askInBackground);
      const served = await serveFactory(() => server);
      onTestFinished(() => served.close());
      const { peer } = served.connect();
      await peer.handshake(FORMS);
      await peer.callTool('tool');
      expect((await peer.next())['result'].content[0].text).toBe('returned');
      open();
      expectCallEnded(await caught());
    });
  },
);

describe("SDK v1's own requests", () => {
  it('[H12b] pass untouched, and their answers reach the handler that sent them, next to asks', async () => {
    const { server } = toolServer(async (extra) => {
      if (inputContext(extra).round === 0) {
        const own = await server.server.elicitInput({ ...params, message: 'Own, before?' });
        return { content: [], ...ask({ who: form(`${own.content?.['name']} asks: your name?`) }) };
      }
      const name = inputContext(extra).accepted('who')?.['name'];
      const own = await extra.sendRequest(
        { method: 'elicitation/create', params: { ...params, message: `Own, after ${name}?` } },
        ElicitResultSchema,
      );
      return said(`${name} and ${own.content?.['name']}`);
    });
    const peer = await connectPeer(server, FORMS);
    await peer.callTool('tool');
    const first = await peer.next();
    expect([first['id'], first['params']]).toEqual([0, { ...params, message: 'Own, before?' }]);
    await peer.answer(first, { action: 'accept', content: { name: 'Zero' } });
    const leg = await peer.next();
    expect([typeof leg['id'], leg['params'].message]).toEqual(['string', 'Zero asks: your name?']);
    await peer.answer(leg, ADA);
    const second = await peer.next();
    expect([second['id'], second['params'].message]).toEqual([1, 'Own, after Ada?']);
    await peer.answer(second, { action: 'accept', content: { name: 'One' } });
    expect((await peer.next())['result'].content[0].text).toBe('Ada and One');
  });

  it('pass with the id of a call that is held, and with none', async () => {
    const { server } = toolServer((extra) =>
      inputContext(extra).round === 0 ? { content: [], ...ask({ who: form() }) } : said('done'),
    );
    const peer = await connectPeer(server, FORMS);
    const id = await peer.callTool('tool');
    const leg = await peer.next();
    const related = server.server.elicitInput(params, { relatedRequestId: id });
    const bare = server.server.elicitInput({ ...params, message: 'Bare?' });
    await settle();
    for (const own of [await peer.next(), await peer.next()]) await peer.answer(own, { action: 'decline' });
    expect([await related, await bare]).toEqual([{ action: 'decline' }, { action: 'decline' }]);
    await peer.answer(leg, ADA);
    expect((await peer.next())['result'].content[0].text).toBe('done');
  });

  it('are rejected at once when their call was cancelled', async () => {
    const { open, opened } = gate();
    let caught: Promise<unknown> = Promise.resolve();
    const { server } = toolServer((extra) => {
      caught = opened
        .then(() => server.server.elicitInput(params, { relatedRequestId: extra.requestId }))
        .catch((error: unknown) => error);
      return caught.then(() => said('never read'));
    });
    const peer = await connectPeer(server, FORMS);
    const id = await peer.callTool('tool');
    await settle();
    await peer.cancel(id);
    open();
    expectCallEnded(await caught);
    await settle();
    expect(await peer.rest(0)).toEqual([]);
  });
});
