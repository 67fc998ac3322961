import { inputRequired, once } from 'mcp-dual-era';
import { accept, checkReentrancy, decline, formatReentrancy, sample } from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { callOf, type Play, playFactory } from './play-factory.ts';
import { elicitName, NAME_FORM } from './questions.ts';

const ADA = accept({ name: 'Ada' });
const BOB = accept({ name: 'Bob' });
const both = { request: callOf(), answers: { a: ADA, b: BOB } };
const check = (play: Play, script: Parameters<typeof checkReentrancy>[1] = both) =>
  checkReentrancy(playFactory(play).factory, script);

/** Asks `a`, then `b`; `effect` happens before the question of its round, and in the last run. */
const twoRounds =
  (effect: (round: number, played: Parameters<Play>[0]) => unknown): Play =>
  async (played) => {
    const { ctx } = played;
    await effect(ctx.round, played);
    if (ctx.responses !== undefined && ctx.accepted('a') === undefined && ctx.accepted('b') === undefined) return 'no';
    if (ctx.round === 0) return inputRequired({ inputRequests: { a: elicitName('A?') }, requestState: 1 });
    if (ctx.round === 1) return inputRequired({ inputRequests: { b: elicitName('B?') }, requestState: 2 });
    return 'done';
  };

const CURE = 'move it below the last question, or put it under once(extra, key, fn)';

describe('a side effect', () => {
  it('that each run has anew is reported for both eras, with its question and the cure', async () => {
    const { repeated, afterRefusal } = await check(twoRounds((_round, { context }) => context.effects.note('mail')));
    expect(repeated).toEqual([
      {
        name: 'mail',
        script: 'as written',
        handshake: { times: 3, runs: [0, 1, 2] },
        modern: { times: 3, runs: [0, 1, 2] },
        before: { number: 1, key: 'a', kind: 'form', message: 'A?', requestedSchema: NAME_FORM },
        cure: `It happens before question "a" (form): "A?", and again each time the handler runs: ${CURE}`,
      },
    ]);
    expect(afterRefusal).toEqual([]);
    expect(formatReentrancy({ repeated })).toBe(
      [
        'Side effects that happened again:',
        '- mail (as written): handshake 3 x, in runs 1, 2, 3; modern 3 x, in runs 1, 2, 3.',
        `  It happens before question "a" (form): "A?", and again each time the handler runs: ${CURE}.`,
      ].join('\n'),
    );
  });

  it('under once is not reported, in either style', async () => {
    const effect = (_round: number, { extra, context }: Parameters<Play>[0]) =>
      once(extra, 'mail', () => context.effects.note('mail') ?? null);
    expect((await check(twoRounds(effect))).repeated).toEqual([]);
    const midBody: Play = async (played) => {
      await played.server.listRoots();
      await effect(0, played);
      await played.server.listRoots();
      return 'done';
    };
    const answers = () => ({ said: 'roots' as const, roots: [] });
    const report = await check(midBody, { request: callOf(), answers, pushCalls: 'replay' });
    expect(report.repeated).toEqual([]);
    expect(formatReentrancy(report)).toBe('No side effect happened again.');
  });

  it('that nobody told of is not taken for one that did not happen again', async () => {
    const mails: string[] = [];
    const { factory } = playFactory(twoRounds(() => mails.push('mail')));
    const opening: typeof factory = (context) => {
      context.effects.note('opened the database');
      return factory(context);
    };
    const unwatched = await checkReentrancy(opening, both);
    expect(mails.length).toBeGreaterThan(1);
    expect([unwatched.noted, unwatched.repeated, unwatched.maybe]).toEqual([[], [], []]);
    expect(formatReentrancy(unwatched)).toBe(
      'No side effect was noted, so none can be seen to happen again: ' +
        'tell of each by context.effects.note(name), or give a probe.',
    );
    const still = await checkReentrancy(factory, both, { probe: () => ({ rows: 0 }) });
    expect(formatReentrancy(still)).toMatch(/^No side effect was noted, /);
    const watched = await checkReentrancy(factory, both, { probe: () => ({ mails: mails.length }) });
    expect(watched.noted).toEqual(['mails']);
  });

  it('that is noted in one run alone is noted, and did not happen again', async () => {
    const report = await check(twoRounds((round, { context }) => round === 2 && context.effects.note('mail')));
    expect(report.noted).toEqual(['mail']);
    expect(formatReentrancy(report)).toBe('No side effect happened again.');
  });

  it('below the last question is not reported, nor are effects in one run that have one name', async () => {
    const effect = (round: number, { context }: Parameters<Play>[0]) => {
      for (let mail = 0; round === 2 && mail < 3; mail += 1) context.effects.note('mail');
    };
    expect((await check(twoRounds(effect))).repeated).toEqual([]);
  });

  it('that the modern era alone repeats, with pushCalls: replay, is reported with the question after it', async () => {
    const play: Play = async ({ server, context }) => {
      const ask = (message: string) => server.elicitInput({ message, requestedSchema: NAME_FORM });
      await ask('A?');
      context.effects.note('opened');
      await ask('B?');
      context.effects.note('closed');
      return 'done';
    };
    const { repeated } = await check(play, { request: callOf(), answers: [ADA, BOB], pushCalls: 'replay' });
    expect(repeated).toMatchObject([
      {
        name: 'opened',
        handshake: { times: 1, runs: [0] },
        modern: { times: 2, runs: [1, 2] },
        before: { number: 2, message: 'B?' },
      },
    ]);
    expect(formatReentrancy({ repeated })).toContain('handshake 1 x, in run 1; modern 2 x, in runs 2, 3.');
  });

  it('that the handshake era alone repeats is reported too', async () => {
    const effect = (_round: number, { context }: Parameters<Play>[0]) => {
      if (context.era === 'handshake') context.effects.note('mail');
    };
    const { repeated } = await check(twoRounds(effect));
    expect(repeated).toMatchObject([{ handshake: { times: 3 }, modern: { times: 0, runs: [] }, before: { key: 'a' } }]);
    expect(formatReentrancy({ repeated })).toContain('handshake 3 x, in runs 1, 2, 3; modern never.');
  });

  it('before an ask without a question is reported without one', async () => {
    const play: Play = ({ ctx, context }) => {
      context.effects.note('page');
      return ctx.round === 0 ? inputRequired({ requestState: { page: 1 } }) : 'done';
    };
    const { repeated } = await check(play, { request: callOf() });
    expect(repeated).toMatchObject([{ name: 'page', modern: { runs: [0, 1] } }]);
    expect(repeated[0]).not.toHaveProperty('before');
    expect(repeated[0]?.cure).toMatch(/^It happens before an ask, /);
  });

  it('that only a refusal brings about twice is found in the variant that refuses', async () => {
    const play: Play = ({ ctx, context }) => {
      if (ctx.accepted('a') !== undefined) return 'done';
      if (ctx.requestState() === undefined)
        return inputRequired({ inputRequests: { a: elicitName() }, requestState: 1 });
      context.effects.note('retry');
      const inputRequests = { again: elicitName(`Sure, ${ctx.round}?`) };
      return ctx.round < 3 ? inputRequired({ inputRequests, requestState: 2 }) : 'no';
    };
    const { repeated, afterRefusal } = await check(play, { request: callOf(), answers: { a: ADA } });
    expect(repeated).toMatchObject([{ name: 'retry', script: 'declined at question 1', modern: { runs: [1, 2, 3] } }]);
    expect(afterRefusal).toEqual([
      { name: 'retry', era: 'handshake', script: 'declined at question 1' },
      { name: 'retry', era: 'modern', script: 'declined at question 1' },
    ]);
  });

  it('after a refusal is told for information, whether it is meant or not', async () => {
    const effect = (round: number, { ctx, context }: Parameters<Play>[0]) => {
      if (round > 0 && ctx.elicitResult('a')?.action === 'decline') context.effects.note('noted the no');
    };
    const { repeated, afterRefusal } = await check(twoRounds(effect));
    expect(repeated).toEqual([]);
    expect(afterRefusal).toEqual([
      { name: 'noted the no', era: 'handshake', script: 'declined at question 1' },
      { name: 'noted the no', era: 'modern', script: 'declined at question 1' },
    ]);
  });

  it('is counted by a probe, which needs nothing of the handler', async () => {
    const mails: string[] = [];
    const rows = new Set<string>();
    const { factory } = playFactory(
      twoRounds((round) => {
        mails.push('mail');
        if (round === 2) rows.add('row');
      }),
    );
    const probe = () => ({ mails: mails.length, rows: rows.size });
    const { repeated, maybe } = await checkReentrancy(factory, both, { probe });
    expect(repeated).toEqual([]);
    expect(maybe).toMatchObject([{ name: 'mails', handshake: { times: 3, runs: [0, 1, 2] }, before: { key: 'a' } }]);
    expect(maybe).toHaveLength(1);
  });

  it('is only said to be possible where a counter rose in two runs: it may have been two effects', async () => {
    let mails = 0;
    const effect = async (round: number, { extra }: Parameters<Play>[0]) => {
      if (round === 1) await once(extra, 'invite', () => (mails += 1));
      if (round === 2) mails += 1;
    };
    const { factory } = playFactory(twoRounds(effect));
    const report = await checkReentrancy(factory, both, { probe: () => ({ mails }) });
    expect(report.repeated).toEqual([]);
    expect(formatReentrancy(report)).toBe(
      [
        'Side effects that may have happened again:',
        '- mails (as written): handshake 2 x, in runs 2, 3; modern 2 x, in runs 2, 3.',
        '  It may have happened again: the counter rose in runs 2 and 3. ' +
          'Two effects that both move "mails" look the same: effects.note(name) tells them apart.',
      ].join('\n'),
    );
  });

  it('is counted by a probe however much it rises', async () => {
    let rows = 0;
    const { factory } = playFactory(twoRounds(() => (rows += 1_000_000_000)));
    const { maybe } = await checkReentrancy(factory, both, { probe: () => ({ rows }) });
    expect(maybe).toMatchObject([{ handshake: { times: 3_000_000_000 }, modern: { times: 3_000_000_000 } }]);
  });

  it('that nobody awaits belongs to the run that started it', async () => {
    const { repeated } = await check(
      twoRounds((_round, { context }) => void setImmediate(() => context.effects.note('mail'))),
    );
    expect(repeated).toMatchObject([
      { name: 'mail', handshake: { runs: [0, 1, 2] }, modern: { runs: [0, 1, 2] }, before: { key: 'a' } },
    ]);
  });

  it('that comes when the next run is on is not taken for one of that run', async () => {
    let release = (): void => undefined;
    const effect = (round: number, { context }: Parameters<Play>[0]) => {
      if (round === 1) release();
      if (round > 0) return;
      context.effects.note('mail');
      // As a queue does that is slow to send the second of two mails.
      void new Promise<void>((resolve) => (release = resolve)).then(() => context.effects.note('mail'));
    };
    const { repeated, afterRefusal } = await check(twoRounds(effect));
    expect([repeated, afterRefusal]).toEqual([[], []]);
  });

  it('of the factory is set apart: it is no handler’s', async () => {
    let pools = 0;
    const { factory } = playFactory(twoRounds(() => undefined));
    const opening: typeof factory = async (context) => {
      context.effects.note('opened the database');
      pools += 1;
      await Promise.resolve();
      context.effects.note('opened the database');
      return factory(context);
    };
    const { repeated, maybe, ofFactory } = await checkReentrancy(opening, both, { probe: () => ({ pools }) });
    expect([repeated, maybe]).toEqual([[], []]);
    expect(ofFactory).toEqual([
      { name: 'opened the database', era: 'handshake', times: 2 },
      { name: 'pools', era: 'handshake', times: 1 },
      { name: 'opened the database', era: 'modern', times: 6 },
      { name: 'pools', era: 'modern', times: 3 },
    ]);
  });
});

describe('checkReentrancy', () => {
  it('plays the script as written, and cut off at each question by a refusal and by a client that is gone', async () => {
    const { runs } = await check(twoRounds(() => undefined));
    expect(runs.map(({ script, handshake, modern }) => [script, handshake.ending, modern.ending])).toEqual([
      ['as written', 'result', 'result'],
      ['declined at question 1', 'result', 'result'],
      ['gone at question 1', 'disconnected', 'disconnected'],
      ['declined at question 2', 'result', 'result'],
      ['gone at question 2', 'disconnected', 'disconnected'],
    ]);
  });

  it('has a model and a client refuse by an error', async () => {
    const play: Play = ({ ctx }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'x' } }];
      if (ctx.round > 0) return 'done';
      const text = inputRequired.createMessage({ messages, maxTokens: 5 });
      return inputRequired({ inputRequests: { text, where: inputRequired.listRoots() } });
    };
    const answers = { text: sample('x'), where: { said: 'roots' as const, roots: [] } };
    const { runs } = await check(play, { request: callOf(), answers });
    const said = runs.map(({ modern }) => modern.steps.flatMap((step) => (step.type === 'answer' ? [step.value] : [])));
    expect(said[1]).toEqual([{ code: -1, message: 'Sampling is refused' }]);
    expect(said[3]?.[1]).toEqual({ code: -32601, message: 'Roots are refused' });
  });

  it('ends with the error of a script that lacks an answer', async () => {
    const { factory } = playFactory(twoRounds(() => undefined));
    const script = { request: callOf(), answers: [decline(), ADA].slice(1) };
    await expect(checkReentrancy(factory, script)).rejects.toThrow('no answer to question "b"');
  });
});
