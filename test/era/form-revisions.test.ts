import { type FormSchema, field, form, type GeneratedSchema, inputRequired, type StandardSchema } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { closedValidatorFor, validatorFor } from '../core/spec-schemas.ts';
import { ALL_CAPABILITIES, ask, outcomeOf } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { expectNothingLeft, openPlay } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

type Schema = FormSchema | StandardSchema | GeneratedSchema;

/** One form, told with `form`, with zod, with what zod generates, and as plain JSON Schema. */
const FORM = form({
  mail: field.string({ format: 'email', title: 'E-mail' }),
  stage: field.choice(['staging', 'production'], { default: 'staging' }),
  replicas: field.integer({ minimum: 1, maximum: 12, default: 2 }),
  share: field.number({ minimum: 0, maximum: 1, optional: true }),
  dry: field.boolean({ default: true }),
});
const ZOD = z.object({
  mail: z.email().meta({ title: 'E-mail' }),
  stage: z.enum(['staging', 'production']).default('staging'),
  replicas: z.int().min(1).max(12).default(2),
  share: z.number().min(0).max(1).optional(),
  dry: z.boolean().default(true),
});
const PLAIN: FormSchema = { ...FORM, required: ['mail', 'stage', 'replicas', 'dry'] };
const FORMS: readonly (readonly [string, Schema])[] = [
  ['form()', FORM],
  ['zod', ZOD],
  ['z.toJSONSchema()', z.toJSONSchema(ZOD)],
  ["z.toJSONSchema() with io: 'input'", z.toJSONSchema(ZOD, { io: 'input' })],
  ['plain JSON Schema', PLAIN],
];

const SAID: Readonly<Record<string, { mode: object; properties: Json }>> = {
  '2025-06-18': {
    mode: {},
    properties: {
      mail: { type: 'string', format: 'email', title: 'E-mail' },
      stage: { type: 'string', enum: ['staging', 'production'] },
      replicas: { type: 'integer', minimum: 1, maximum: 12 },
      share: { type: 'number', minimum: 0, maximum: 1 },
      dry: { type: 'boolean', default: true },
    },
  },
  '2025-11-25': {
    mode: { mode: 'form' },
    properties: {
      mail: { type: 'string', format: 'email', title: 'E-mail' },
      stage: { type: 'string', enum: ['staging', 'production'], default: 'staging' },
      replicas: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
      share: { type: 'number', minimum: 0, maximum: 1 },
      dry: { type: 'boolean', default: true },
    },
  },
};

const open = async (requestedSchema: Schema, revision: string) => {
  const session = await openPlay(
    (context) =>
      context.round === 0
        ? ask({ q: inputRequired.elicit({ message: 'Deploy?', requestedSchema }) })
        : JSON.stringify(context.accepted('q')),
    { revision, capabilities: ALL_CAPABILITIES },
  );
  onTestFinished(session.close);
  return session;
};

describe.each(FORMS)('[A8] a form asked as %s', (_name, requestedSchema) => {
  it.each(Object.keys(SAID))('is said in the words of %s, and its defaults are filled in', async (revision) => {
    const session = await open(requestedSchema, revision);
    await session.run();
    const leg = await session.peer.next();
    const { required, ...schema } = leg['params'].requestedSchema;
    expect({ ...leg['params'], requestedSchema: schema }).toEqual({
      ...SAID[revision]?.mode,
      message: 'Deploy?',
      requestedSchema: { type: 'object', properties: SAID[revision]?.properties },
    });
    expect(required).toContain('mail');
    expect(required).not.toContain('share');
    for (const validate of [validatorFor(revision, 'ElicitRequest'), closedValidatorFor(revision, 'ElicitRequest')]) {
      validate({ jsonrpc: '2.0', id: 1, method: leg['method'], params: leg['params'] });
      expect(validate.errors ?? []).toEqual([]);
    }
    await session.peer.answer(leg, { action: 'accept', content: { mail: 'ada@example.com', replicas: 3 } });
    expect(JSON.parse(textOf(await session.peer.next()))).toEqual({
      mail: 'ada@example.com',
      stage: 'staging',
      replicas: 3,
      dry: true,
    });
    await expectNothingLeft(session);
  });

  it('is refused on 2025-03-26, which has no elicitation', async () => {
    const session = await open(requestedSchema, '2025-03-26');
    await session.run();
    expect(outcomeOf(await session.peer.next())).toMatchObject({ reason: 'unsupported', revision: '2025-03-26' });
    await expectNothingLeft(session);
  });
});

describe('[A5] the answer to a form', () => {
  it.each([
    ['form()', FORM],
    ['zod', ZOD],
  ] as const)('is read the same with the %s that was asked', async (_name, schema) => {
    const session = await openPlay((context) =>
      context.round === 0
        ? ask({ q: inputRequired.elicit({ message: 'Deploy?', requestedSchema: schema }) })
        : JSON.stringify(context.accepted<object>('q', schema)),
    );
    onTestFinished(session.close);
    await session.run();
    await session.peer.answer(await session.peer.next(), {
      action: 'accept',
      content: { mail: 'ada@example.com', share: 0.5, notAsked: 'dropped' },
    });
    expect(JSON.parse(textOf(await session.peer.next()))).toEqual({
      mail: 'ada@example.com',
      stage: 'staging',
      replicas: 2,
      share: 0.5,
      dry: true,
    });
  });
});

describe('[A8] choices made with field', () => {
  const titles = [
    { const: 'prod', title: 'Production' },
    { const: 'test', title: 'Testing' },
  ] as const;

  it.each([
    ['2025-06-18', { type: 'string', title: 'Stage', enum: ['prod', 'test'], enumNames: ['Production', 'Testing'] }],
    ['2025-11-25', { type: 'string', title: 'Stage', oneOf: titles, default: 'test' }],
  ])('with titles are said in the words of %s', async (revision, stage) => {
    const session = await open(form({ stage: field.choice(titles, { title: 'Stage', default: 'test' }) }), revision);
    await session.run();
    const leg = await session.peer.next();
    expect(leg['params'].requestedSchema.properties).toEqual({ stage });
    await session.peer.answer(leg, { action: 'accept', content: {} });
    expect(textOf(await session.peer.next())).toBe('{"stage":"test"}');
  });

  it.each([
    ['plain', field.choices(['a', 'b'])],
    ['titled', field.choices(titles)],
  ])('of which several may be taken are refused by name on 2025-06-18: %s', async (_name, days) => {
    const session = await open(form({ days }), '2025-06-18');
    await session.run();
    const answer = await session.peer.next();
    expect(outcomeOf(answer)).toMatchObject({ reason: 'unsupported', key: 'q', revision: '2025-06-18' });
    expect(textOf(answer)).toContain('revision 2025-06-18 has no multiple choice (field "days")');
    await expectNothingLeft(session);
  });

  it('of which several may be taken are asked on 2025-11-25', async () => {
    const session = await open(form({ days: field.choices(titles, { minItems: 1 }) }), '2025-11-25');
    await session.run();
    const leg = await session.peer.next();
    expect(leg['params'].requestedSchema.properties).toEqual({
      days: { type: 'array', items: { anyOf: titles }, minItems: 1 },
    });
    await session.peer.answer(leg, { action: 'accept', content: { days: ['test', 'prod'] } });
    expect(textOf(await session.peer.next())).toBe('{"days":["test","prod"]}');
  });
});
