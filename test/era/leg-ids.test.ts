import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, told } from '../support/asks.ts';
import { serveHttp } from '../support/open.ts';
import { createScriptServer, type ScriptLog, scriptParams } from '../support/script-server.ts';
import { clockSession, expectForgotten, expectSilence, play, session } from '../support/session.ts';

const QUIET: ScriptLog = { event: () => undefined, run: () => undefined };

describe.each(['memory', 'http'] as const)('a call with the id 0 (%s)', (transport) => {
  it('is asked and answered like any other', async () => {
    const { peer, runs } = await session(transport, { capabilities: ALL_CAPABILITIES });
    await play(peer, [ask({ who: form() })], 0);
    const leg = await peer.next();
    expect(leg['method']).toBe('elicitation/create');
    await peer.answer(leg, ADA);
    const answer = await peer.next();
    expect(answer['id']).toBe(0);
    expect(told(answer)).toMatchObject({ round: 1, responses: { who: ADA } });
    expect(runs).toEqual(['script', 'script']);
  });

  it('can be cancelled', async () => {
    const opened = await session(transport, { capabilities: ALL_CAPABILITIES });
    const { peer, runs } = opened;
    await play(peer, [ask({ who: form() })], 0);
    const leg = await peer.next();
    await peer.cancel(0);
    expect((await peer.next())['params'].requestId).toBe(leg['id']);
    await expectSilence(peer);
    expect(runs).toEqual(['script', 'echo']);
    await expectForgotten(opened, 0, leg);
  });
});

describe('the ids of legs', () => {
  it('are strings that no other leg has, on this connection or on another', async () => {
    const ids = new Set<unknown>();
    for (let connection = 0; connection < 2; connection += 1) {
      const { peer } = await clockSession({ capabilities: ALL_CAPABILITIES });
      for (let call = 0; call < 2; call += 1) {
        await play(peer, [ask({ a: form(), b: form() }), ask({ a: form('And now?') })]);
        for (let question = 0; question < 3; question += 1) {
          const leg = await peer.next();
          expect(typeof leg['id']).toBe('string');
          ids.add(leg['id']);
          await peer.answer(leg, ADA);
        }
        await peer.next();
      }
    }
    expect(ids.size).toBe(12);
  });

  it('cannot be guessed from those of another connection', async () => {
    const prefixes = new Set<string>();
    for (let connection = 0; connection < 2; connection += 1) {
      const { peer } = await clockSession({ capabilities: ALL_CAPABILITIES });
      await play(peer, [ask({ who: form() })]);
      const leg = await peer.next();
      const [uuid] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(leg['id']) ?? [];
      expect(uuid).toBeDefined();
      prefixes.add(String(uuid));
      await peer.answer(leg, ADA);
      await peer.next();
    }
    expect(prefixes.size).toBe(2);
  });
});

async function memoryEnd(): Promise<Transport> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createScriptServer({}, QUIET);
  await server.connect(far);
  onTestFinished(() => server.close());
  return near;
}

async function httpEnd(): Promise<Transport> {
  const served = await serveHttp({}, QUIET);
  onTestFinished(() => served.close());
  return new StreamableHTTPClientTransport(served.url) as Transport;
}

describe.each([
  ['memory', memoryEnd],
  ['http', httpEnd],
] as const)('a real SDK v1 client (%s)', (_name, connect) => {
  it('closes the first dialog of its session when it cancels its first call', async () => {
    const client = new Client({ name: 'real', version: '1' }, { capabilities: { elicitation: {} } });
    let openDialog: (signal: AbortSignal) => void = () => undefined;
    const opened = new Promise<AbortSignal>((resolve) => {
      openDialog = resolve;
    });
    client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => {
      openDialog(signal);
      return new Promise<ElicitResult>(() => undefined);
    });
    await client.connect(await connect());
    onTestFinished(() => client.close());

    const caller = new AbortController();
    const params = scriptParams('tools/call', [ask({ who: form() })]) as { name: string };
    const call = client.callTool(params, undefined, { signal: caller.signal });
    const dialog = await opened;
    expect(dialog.aborted).toBe(false);
    const closed = new Promise<string>((resolve) => {
      dialog.addEventListener('abort', () => resolve(String(dialog.reason)));
    });
    caller.abort('no longer needed');
    await expect(call).rejects.toThrow('no longer needed');
    expect(await closed).toBe('The call was cancelled');
  });
});
