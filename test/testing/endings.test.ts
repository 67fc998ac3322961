import { createHolds, inputRequired } from 'mcp-dual-era';
import { accept, runOnBothEras, type Script } from 'mcp-dual-era/testing';
import { describe, expect, it, vi } from 'vitest';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { askName, elicitName, NAME_FORM, textResult } from './questions.ts';

const run = (play: Play, more: Partial<Script> = {}) =>
  runOnBothEras(playFactory(play).factory, { request: callOf(), ...more });

describe('capabilities', () => {
  it.each(['tools/call', 'prompts/get', 'resources/read'])(
    'that are missing end %s as unsupported in both eras, each with its own words, which is no difference',
    async (method) => {
      const { handshake, modern, differences } = await run(askName, { request: callOf(method), capabilities: {} });
      expect(differences).toEqual([]);
      const requiredCapabilities = { elicitation: { form: {} } };
      expect(handshake).toMatchObject({
        ending: 'unsupported',
        outcome: { reason: 'unsupported', requiredCapabilities },
      });
      expect(modern).toMatchObject({ ending: 'unsupported', outcome: { reason: 'unsupported', requiredCapabilities } });
      expect(modern.error?.code).toBe(-32021);
      expect(handshake.steps).toEqual([]);
    },
  );

  it('that are odd are read alike: a list of modes without forms has no forms', async () => {
    const { modern, differences } = await run(askName, { capabilities: { elicitation: { url: {} } } });
    expect(differences).toEqual([]);
    expect(modern.ending).toBe('unsupported');
  });

  it('that are malformed are a difference: the modern envelope is refused for them', async () => {
    const { differences } = await run(() => 'done', { capabilities: { elicitation: true } });
    expect(differences).toMatchObject([
      {
        what: 'ending',
        handshake: { result: textResult('done') },
        modern: { ending: 'error', error: { code: -32602 } },
      },
    ]);
  });

  it('that differ in what is missing are a difference', async () => {
    const { differences } = await run(
      ({ context }) => {
        const inputRequests = context.era === 'modern' ? { it: inputRequired.listRoots() } : { it: elicitName() };
        return inputRequired({ inputRequests });
      },
      { capabilities: {} },
    );
    expect(differences).toEqual([
      { what: 'requiredCapabilities', handshake: { elicitation: { form: {} } }, modern: { roots: {} } },
    ]);
  });

  it('that a question in mid-body misses are a difference: SDK v1 fails in the handler', async () => {
    const play: Play = async ({ server }) =>
      String(await server.elicitInput({ message: 'A?', requestedSchema: NAME_FORM }).catch(() => 'cannot ask'));
    const { differences } = await run(play, { capabilities: {}, pushCalls: 'replay' });
    expect(differences).toMatchObject([
      { what: 'ending', handshake: { result: textResult('cannot ask') }, modern: { ending: 'unsupported' } },
    ]);
  });
});

describe('a run', () => {
  it('uses the options of the script, hooks and holds too', async () => {
    const holds = createHolds({ max: 1 });
    const onEvent = vi.fn();
    const { differences } = await run(askName, { answers: [accept({ name: 'Ada' })], options: { holds, onEvent } });
    expect(differences).toEqual([]);
    expect(onEvent.mock.calls.map(([{ type }]) => type)).toContain('hold-end');
    expect(holds.stats().held).toBe(0);
  });

  it('is ended by a server that says nothing more, within the timeout of the script', async () => {
    const play: Play = ({ extra }) => new Promise((resolve) => extra.signal.addEventListener('abort', resolve));
    await expect(run(play, { timeout: 50 })).rejects.toThrow(
      'handshake: the server sent nothing within 50 ms (the timeout of the script)',
    );
    const inModern: Play = (played) => (played.context.era === 'modern' ? play(played) : 'done');
    await expect(run(inModern, { timeout: 50 })).rejects.toThrow('modern: the server did not answer within 50 ms');
  });

  it('is ended by a factory that throws, in either era', async () => {
    const failing = (era: string) => ({
      factory: playFactory(() => 'done').factory,
      era,
    });
    for (const { factory, era } of [failing('handshake'), failing('modern')]) {
      const throwing: typeof factory = (context) => {
        if (context.era === era) throw new Error(`no server in ${era}`);
        return factory(context);
      };
      await expect(runOnBothEras(throwing, { request: callOf() })).rejects.toThrow(`no server in ${era}`);
    }
  });

  it.each(['handshake', 'modern'])('is ended by a factory that makes no server in time, in %s', async (era) => {
    const { factory } = playFactory(() => 'done');
    const stuck: typeof factory = (context) => (context.era === era ? new Promise(() => undefined) : factory(context));
    await expect(runOnBothEras(stuck, { request: callOf(), timeout: 50 })).rejects.toThrow(
      `${era}: the factory made no server within 50 ms (the timeout of the script)`,
    );
  });

  it('is ended by a factory that makes the same server again', async () => {
    const { factory } = playFactory(() => 'done');
    let server: ReturnType<typeof factory> | undefined;
    const same: typeof factory = (context) => (server ??= factory(context));
    await expect(runOnBothEras(same, { request: callOf() })).rejects.toThrow(
      new TypeError('The factory must make a new server each time that it is called, got the one that it made before'),
    );
  });

  it('is ended by a factory that makes no server, or one that is connected', async () => {
    await expect(runOnBothEras(() => ({}) as never, { request: callOf() })).rejects.toMatchObject({
      code: 'NOT_A_SERVER',
    });
  });
});
