import { once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES, ROOTS, roots, SAMPLED, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { Peer } from '../support/peer.ts';
import { sdkNamed } from '../support/sdk.ts';
import { StreamClient } from '../support/stream-client.ts';
import { accepted, askText, formOf } from './questions.ts';
import { type Body, type ReplaySettings, serveBody, URL_SERVED } from './replay-session.ts';

/** A scripted client in a session of the handshake era, which has opened its GET stream. */
async function openSession(body: Body, settings: ReplaySettings = {}, capabilities: Json = ALL_CAPABILITIES) {
  const served = serveBody(body, settings);
  const client = new StreamClient(new URL(URL_SERVED), served.fetch);
  const peer = new Peer(
    { send: (message, headers) => client.send(message, headers), close: () => client.close() },
    client.inbox,
  );
  await peer.handshake({ capabilities });
  await client.get();
  return { served, peer };
}

for (const sdk of ['newest', 'oldest'] as const) {
  for (const pushCalls of ['reject', 'replay'] as const) {
    describe(`[P4a] a question in mid-body in the handshake era, with pushCalls: ${pushCalls} (${sdk} SDK v1)`, () => {
      const { types } = sdkNamed(sdk);
      const open = (body: Body, capabilities?: Json) =>
        openSession(body, { sdk, options: { pushCalls } }, capabilities);

      it('is SDK v1’s own live request, one after the other, in one run', async () => {
        let runs = 0;
        let effects = 0;
        const { served, peer } = await open(async (act) => {
          runs += 1;
          const first = await askText(act, 'a');
          await once(act.extra, 'effect', () => ++effects);
          return `${first} ${await askText(act, 'b')}`;
        });
        const id = await peer.callTool('act');
        const a = await peer.next();
        expect(a).toStrictEqual({ jsonrpc: '2.0', id: 0, ...formOf('a') });
        await peer.answer(a, accepted('A'));
        const b = await peer.next();
        expect(b).toStrictEqual({ jsonrpc: '2.0', id: 1, ...formOf('b') });
        await peer.answer(b, accepted('B'));
        expect(await peer.next()).toStrictEqual({
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'text', text: 'A B' }] },
        });
        expect([runs, effects, served.events]).toEqual([1, 1, []]);
      });

      it('is live for every kind, at once', async () => {
        const { peer } = await open(async ({ server, extra }) => {
          const results = await Promise.all([
            server.elicitInput({ ...url()['params'], elicitationId: 'mine' }),
            server.createMessage(sampling()['params']),
            extra.sendRequest(roots() as never, types.ListRootsResultSchema),
          ]);
          return JSON.stringify(results);
        });
        await peer.callTool('act');
        const answers: Json = {
          'elicitation/create': { action: 'accept' },
          'sampling/createMessage': SAMPLED,
          'roots/list': ROOTS,
        };
        const legs = [await peer.next(), await peer.next(), await peer.next()];
        expect(legs.map(({ method, params }) => [method, params.elicitationId]).sort()).toEqual([
          ['elicitation/create', 'mine'],
          ['roots/list', undefined],
          ['sampling/createMessage', undefined],
        ]);
        for (const leg of legs) await peer.answer(leg, answers[leg['method']]);
        expect(JSON.parse(textOf(await peer.next()))).toEqual(Object.values(answers));
      });

      it('fails as SDK v1 has it where the client did not declare it', async () => {
        const { peer } = await open((act) => askText(act, 'a'), {});
        await peer.callTool('act');
        const { result } = await peer.next();
        expect(result).toMatchObject({ isError: true });
        expect(result.content[0].text).toContain('Client does not support form elicitation');
      });

      it('fails as SDK v1 has it where the client answers with an error', async () => {
        const { peer } = await open((act) => askText(act, 'a').catch(({ message }: Error) => message));
        await peer.callTool('act');
        await peer.answerError(await peer.next(), -32001, 'nobody here');
        expect(textOf(await peer.next())).toBe('MCP error -32001: nobody here');
      });
    });
  }
}
