import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, roots, told, url } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { createScriptServer, type ScriptServerSettings } from '../support/script-server.ts';
import { play } from '../support/session.ts';

/** A session whose transport cannot send what `isUnsendable` says. */
async function open(isUnsendable: (message: JSONRPCMessage) => boolean, options: ScriptServerSettings['options'] = {}) {
  const clock = new ManualClock();
  const runs: string[] = [];
  const server = createScriptServer(
    { options: { ...options, ports: { clock } } },
    { event: () => undefined, run: (run) => runs.push(run) },
  );
  const { peer, far, errors, close } = await connectMemory(server);
  onTestFinished(close);
  await peer.handshake({ capabilities: ALL_CAPABILITIES });
  const send = far.send.bind(far);
  far.send = (message, sendOptions) =>
    isUnsendable(message) ? Promise.reject(new Error('a broken pipe')) : send(message, sendOptions);
  return { peer, clock, runs, errors };
}

const isCall = (method: string) => (message: JSONRPCMessage) => 'method' in message && message.method === method;

describe('a question that the transport cannot send', () => {
  it('ends its call as no-channel, and leaves nothing behind', async () => {
    const { peer, clock, runs } = await open(isCall('elicitation/create'));
    await play(peer, [ask({ who: form() })]);
    // Nobody can tell whether a question that failed to be sent has arrived: its dialog is closed all the same.
    expect((await peer.next())['method']).toBe('notifications/cancelled');
    const answer = await peer.next();
    expect(outcomeOf(answer)).toEqual({
      reason: 'no-channel',
      method: 'tools/call',
      target: 'script',
      round: 1,
      key: 'who',
    });
    expect(answer['result'].content[0].text).toBe(
      'The tool script was not completed: it has to ask something, and no question can reach this client ' +
        '(the question could not be sent).',
    );
    expect(clock.pending).toBe(0);
    expect(runs).toEqual(['script']);
  });

  it('closes the other dialogs of its round', async () => {
    const { peer } = await open(isCall('roots/list'), { legs: 'concurrent' });
    await play(peer, [ask({ who: form(), where: roots(), auth: url() })]);
    const legs = [await peer.next(), await peer.next()];
    const closed: unknown[] = [];
    let message = await peer.next();
    for (; 'method' in message; message = await peer.next()) closed.push(message['params'].requestId);
    expect(closed).toEqual(expect.arrayContaining(legs.map(({ id }) => id)));
    expect(outcomeOf(message)).toMatchObject({ reason: 'no-channel', key: 'where' });
  });
});

describe('a notification that the transport cannot send', () => {
  it('changes nothing when it is the closing of a dialog', async () => {
    const { peer, runs, clock } = await open(isCall('notifications/cancelled'));
    const id = await play(peer, [ask({ who: form() })]);
    await peer.next();
    await peer.cancel(id);
    await settle();
    expect(clock.pending).toBe(0);
    expect(runs).toEqual(['script']);
    expect(await peer.rest(0)).toEqual([]);
  });

  it('changes nothing when it is a heartbeat', async () => {
    const { peer, clock } = await open(isCall('notifications/progress'), { heartbeat: 1_000 });
    const params = { name: 'script', arguments: { script: [ask({ who: form() })] }, _meta: { progressToken: 't' } };
    await peer.request('tools/call', params);
    const leg = await peer.next();
    await clock.advance(5_000);
    await peer.answer(leg, ADA);
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });
});

describe('a refusal that the transport cannot send', () => {
  it("is reported to the server's onerror", async () => {
    const { peer, errors, clock } = await open((message) => 'result' in message);
    await play(peer, [ask({})]);
    expect((await peer.next())['error'].code).toBe(-32603);
    await play(peer, [ask({ who: form() })]);
    await peer.answerError(await peer.next(), -32601);
    await settle();
    expect(errors).toEqual([
      new Error('The answer to a call could not be sent', { cause: new Error('a broken pipe') }),
    ]);
    expect(clock.pending).toBe(0);
  });
});

describe('a fault of the platform in the middle of a round', () => {
  it('ends the call with -32603, and is reported to onerror', async () => {
    let isBroken = false;
    const randomId = (): string => {
      if (isBroken) throw new Error('no randomness');
      return 'fixed';
    };
    const server = createScriptServer(
      { options: { ports: { randomId } } },
      { event: () => undefined, run: () => undefined },
    );
    const { peer, errors, close } = await connectMemory(server);
    onTestFinished(close);
    await peer.handshake({ capabilities: ALL_CAPABILITIES });
    isBroken = true;
    const id = await play(peer, [ask({ auth: url() })]);
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } });
    expect(errors.map(({ message }) => message)).toEqual(['no randomness']);
  });
});
