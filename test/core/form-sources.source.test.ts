import { field, form, inputRequired } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { urlProblem } from '../../packages/shim/src/core/check-url.ts';
import { formOf } from '../../packages/shim/src/forms/form-of.ts';

it.each([
  'https://exämple.com',
  'https://a.example/ü',
  'https://a.example/\u202egpj.exe',
  'https://a.example/\u0085x',
  'https://a.example/<b>',
  'https://a.example/"x"',
])('[A13] a URL that is no URI (spec schema: format uri) is refused: %j', (url) => {
  expect(urlProblem(url)).toBe('url must be an absolute https URL');
});

it('[A6] a Standard Schema that is a function, as those of arktype, is asked', () => {
  const jsonSchema = { input: () => ({ type: 'object', properties: { a: { type: 'string' } } }) };
  const type = Object.assign(() => undefined, {
    '~standard': { version: 1 as const, vendor: 'arktype', validate: (value: unknown) => ({ value }), jsonSchema },
  });
  expect(inputRequired.elicit({ message: 'm', requestedSchema: type }).params).toMatchObject({
    requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
  });
});

it('[A3] a default that a function makes is made anew for each question', () => {
  let count = 0;
  const schema = z.object({ a: z.string().default(() => `d${count++}`) });
  const first = formOf(schema).properties['a']?.default;
  expect(formOf(schema).properties['a']?.default).not.toBe(first);
});

it('[A3] a zod object with an id in its metadata is asked', () => {
  expect(formOf(z.object({ a: z.string() }).meta({ id: 'whole-form' })).properties).toEqual({ a: { type: 'string' } });
  expect(formOf(z.object({ a: z.string().meta({ id: 'one-field' }) })).properties).toEqual({ a: { type: 'string' } });
});

it('[A6] what a Standard Schema hands out is not frozen', () => {
  const required = ['a'];
  const input = () => ({ type: 'object', properties: { a: { type: 'string' } }, required });
  formOf({ '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }), jsonSchema: { input } } });
  expect(Object.isFrozen(required)).toBe(false);
});

describe('[A2] choices that are no list are a TypeError in words', () => {
  it.each([['abc'], [undefined], [{}]])('%j', (choices) => {
    expect(() => form({ f: field.choice(choices as never) })).toThrow(/^Field "f": |must be a list/);
  });
});

it('[A2] optional that is no boolean is named for what it is', () => {
  expect(() => form({ f: field.string({ optional: 1 as never }) })).toThrow(/optional/);
});

it('[A3] what zod puts in place of a wrong answer is no default', () => {
  expect(formOf(z.object({ ok: z.boolean().catch(true) })).properties).toEqual({ ok: { type: 'boolean' } });
});

it('[A3] choices that have an id or a title of their own are asked', () => {
  const choices = (meta: Record<string, string>) =>
    formOf(z.object({ a: z.array(z.enum(['x', 'y']).meta(meta)) })).properties;
  const asked = { a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } };
  expect(choices({ id: 'choices-of-a-list' })).toEqual(asked);
  expect(choices({ title: 'Letters' })).toEqual(asked);
});

it.each([{ dependentRequired: { a: ['b'] } }, { minProperties: 1 }, { if: {} }, { not: {} }])(
  '[A4] a constraint on the whole form is refused: %j',
  (constraint) => {
    const schema = { $schema: 'x', type: 'object', properties: { a: { type: 'string' } }, ...constraint };
    expect(() => formOf(schema)).toThrow(new TypeError('This schema cannot be a form: it must be one flat object'));
  },
);
