import { type InputContext, inputRequired } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ask, outcomeOf } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

let session: PlaySession;
afterEach(() => session.close());

const asking = (schema: z.ZodType, note?: string) =>
  ask({ q: inputRequired.elicit({ message: 'Deploy?', requestedSchema: schema, note }) });
const reading = (schema: z.ZodType) => (context: InputContext) =>
  context.round === 0 ? asking(schema) : JSON.stringify(context.response('q', schema));

describe('[F35] a zod object as the form', () => {
  it('is expressed in the vocabulary of a form', async () => {
    const schema = z.object({
      count: z.int().min(1),
      note: z.string().max(9).optional().default('none'),
      mail: z.email(),
      where: z.enum(['eu', 'us']),
      days: z.array(z.enum(['sat', 'sun'])),
    });
    session = await openPlay(reading(schema));
    await session.run();
    expect((await session.peer.next())['params']).toEqual({
      mode: 'form',
      message: 'Deploy?',
      requestedSchema: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 1 },
          note: { type: 'string', maxLength: 9, default: 'none' },
          mail: { type: 'string', format: 'email' },
          where: { type: 'string', enum: ['eu', 'us'] },
          days: { type: 'array', items: { type: 'string', enum: ['sat', 'sun'] } },
        },
        required: ['count', 'mail', 'where', 'days'],
      },
    });
  });

  it.each<[string, z.ZodType, string]>([
    ['a nested object', z.object({ at: z.object({ x: z.int() }) }), 'field "at": a form cannot say a nested object'],
    [
      'a regular expression',
      z.object({ id: z.string().regex(/^x/) }),
      'field "id": a form cannot say a regular expression',
    ],
    ['an exclusive bound', z.object({ n: z.number().positive() }), 'field "n": a form cannot say an exclusive bound'],
    ['a union', z.object({ u: z.union([z.string(), z.boolean()]) }), 'field "u": a form cannot say a union'],
  ])(
    '[A4] that says what a form cannot is a TypeError by the field, and nothing is sent: %s',
    async (_, schema, why) => {
      session = await openPlay(() => {
        expect(() => asking(schema)).toThrow(TypeError);
        return asking(schema);
      });
      for (const method of METHODS) {
        await session.run(method);
        const answer = await session.peer.next();
        expect(JSON.stringify(answer)).toContain(JSON.stringify(why).slice(1, -1));
        expect(outcomeOf(answer)).toBeUndefined();
        expect(answer['error'] ?? answer['result'].isError).toBeTruthy();
      }
      expect(session.runs()).toBe(3);
      await expectNothingLeft(session);
    },
  );
});

describe('[F36] the output of toJSONSchema as the form', () => {
  it.each(['2025-06-18', '2025-11-25'])('reaches %s without $schema and additionalProperties', async (revision) => {
    const schema = z.toJSONSchema(z.object({ name: z.string() }));
    expect(schema).toHaveProperty('additionalProperties', false);
    expect(schema).toHaveProperty('$schema');
    session = await openPlay(() => ask({ q: inputRequired.elicit({ message: 'Name?', requestedSchema: schema }) }), {
      revision,
    });
    await session.run();
    expect((await session.peer.next())['params'].requestedSchema).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
  });
});

describe('[F37] [A5] the answer read with the zod object', () => {
  const schema = z
    .object({
      from: z.coerce.number().min(1),
      to: z.int().max(9),
      name: z.string().transform((name) => name.toUpperCase()),
      env: z.enum(['test', 'prod']).default('test'),
      why: z.string().optional(),
    })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before from' });

  it('is its parsed value: coerced, transformed, with its defaults', async () => {
    session = await openPlay(reading(schema));
    await session.run();
    await session.peer.answer(await session.peer.next(), {
      action: 'accept',
      content: { from: 2, to: 3, name: 'ada', more: 'dropped' },
    });
    expect(JSON.parse(textOf(await session.peer.next()))).toEqual({
      kind: 'elicit',
      action: 'accept',
      content: { from: 2, to: 3, name: 'ADA', env: 'test' },
    });
  });

  it('coerces what came as text', async () => {
    const coerced = z.object({ n: z.string().pipe(z.coerce.number<string>().min(1)) });
    session = await openPlay(reading(coerced));
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept', content: { n: '42' } });
    expect(JSON.parse(textOf(await session.peer.next()))).toMatchObject({ content: { n: 42 } });
  });

  it.each<[string, Json, Json[]]>([
    ['a refinement', { from: 5, to: 3, name: 'ada' }, [{ path: 'to', message: 'must not be before from' }]],
    ['the form itself', { from: 0, to: 3, name: 'ada' }, [{ path: 'from', message: 'must be at least 1' }]],
  ])('is invalid, with its issues, where it fails %s', async (_, content, issues) => {
    session = await openPlay(reading(schema));
    await session.run();
    await session.peer.answer(await session.peer.next(), { action: 'accept', content });
    expect(JSON.parse(textOf(await session.peer.next()))).toEqual({ kind: 'invalid', issues });
  });

  it('[H11c] [H11d] may be asked for twice more, with the reason in a note, and then the call ends', async () => {
    session = await openPlay((context) => {
      const response = context.response('q', schema);
      if (response.kind !== 'invalid') return asking(schema);
      const [issue] = response.issues;
      return asking(schema, `Round ${context.round}: ${issue?.path} ${issue?.message}.`);
    });
    await session.run();
    const messages: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const leg = await session.peer.next();
      messages.push(leg['params'].message);
      await session.peer.answer(leg, { action: 'accept', content: { from: 5, to: 3, name: 'ada' } });
    }
    expect(messages).toEqual([
      'Deploy?',
      'Deploy?\n\nRound 1: to must not be before from.',
      'Deploy?\n\nRound 2: to must not be before from.',
    ]);
    expect(outcomeOf(await session.peer.next())).toMatchObject({ reason: 'repeated-ask', round: 4, key: 'q' });
    await expectNothingLeft(session);
  });

  it('[H11c] is accepted in the third try, of a schema made anew in each run', async () => {
    session = await openPlay((context) => {
      const fresh = z.object({ n: z.int().refine((n) => n % 2 === 0, 'must be even') });
      const content = context.accepted('q', fresh);
      return content === undefined ? asking(fresh) : `even: ${content.n}`;
    });
    await session.run();
    for (const n of [1, 3, 4])
      await session.peer.answer(await session.peer.next(), { action: 'accept', content: { n } });
    expect([textOf(await session.peer.next()), session.runs()]).toEqual(['even: 4', 4]);
  });
});
