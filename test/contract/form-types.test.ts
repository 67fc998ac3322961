import {
  type Field,
  type Form,
  type FormContent,
  type FormSchema,
  field,
  form,
  inputContext,
  inputRequired,
} from 'mcp-dual-era';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod-v3/v4';

// What is asserted here is asserted by tsc, under strict and exactOptionalPropertyTypes: there is no cast in this file.

describe('[A1] the content of a form', () => {
  it('has the type of each field', () => {
    const every = {
      text: field.string({ minLength: 1 }),
      bare: field.string(),
      ratio: field.number({ minimum: 0 }),
      count: field.integer(),
      dry: field.boolean(),
      stage: field.choice(['a', 'b']),
      titled: field.choice([{ const: 'p', title: 'P' }, 't']),
      days: field.choices(['sat', 'sun'], { minItems: 1 }),
      areas: field.choices([{ const: 'eu', title: 'Europe' }]),
    };
    const made = form(every);
    type Content = {
      text: string;
      bare: string;
      ratio: number;
      count: number;
      dry: boolean;
      stage: 'a' | 'b';
      titled: 'p' | 't';
      days: ('sat' | 'sun')[];
      areas: 'eu'[];
    };
    expectTypeOf<FormContent<typeof every>>().toEqualTypeOf<Content>();
    expectTypeOf(inputContext({}).accepted('q', made)).toEqualTypeOf<Content | undefined>();
    expectTypeOf(made).toExtend<FormSchema>();
  });

  it('may lack an optional field, but not one with a default', () => {
    const fields = {
      optional: field.string({ optional: true }),
      filled: field.integer({ optional: true, default: 1 }),
      defaulted: field.choice(['a', 'b'], { default: 'b' }),
      asked: field.boolean({ optional: false }),
      some: field.choices(['x'], { optional: true }),
    };
    type Content = { filled: number; defaulted: 'a' | 'b'; asked: boolean; optional?: string; some?: 'x'[] };
    expectTypeOf<FormContent<typeof fields>>().toEqualTypeOf<Content>();
    expectTypeOf(form(fields)).toEqualTypeOf<Form<Content>>();
    const response = inputContext({}).response('q', form(fields));
    if (response.kind === 'elicit') expectTypeOf(response.content).toEqualTypeOf<Content | undefined>();
  });

  it('is inferred where the fields are given in place, too', () => {
    const made = form({ stage: field.choice(['a', 'b'], { default: 'b' }), why: field.string({ optional: true }) });
    const content = inputContext({}).accepted('q', made);
    expectTypeOf(content?.stage).toEqualTypeOf<'a' | 'b' | undefined>();
    expectTypeOf(content?.why).toEqualTypeOf<string | undefined>();
    // @ts-expect-error there is no such field
    expect(content?.where).toBeUndefined();
  });

  it('knows no more of choices than their list does', () => {
    const stages: string[] = ['a'];
    expectTypeOf(field.choice(stages)).toEqualTypeOf<Field<string>>();
    expectTypeOf(field.choices(stages, { optional: true })).toEqualTypeOf<Field<string[] | undefined>>();
  });

  it('refuses what cannot be right', () => {
    // @ts-expect-error a default that is not offered; caught at run time too
    const choice = field.choice(['a', 'b'], { default: 'c' });
    expect(() => form({ choice })).toThrow(RangeError);
    // @ts-expect-error a default of another type; caught at run time too
    const number = field.number({ default: '1' });
    expect(() => form({ number })).toThrow(TypeError);
    // @ts-expect-error an unknown format; caught at run time too
    const format = field.string({ format: 'ipv4' });
    expect(() => form({ format })).toThrow(TypeError);
    // @ts-expect-error a nested object; caught at run time too
    expect(() => form({ nested: { a: field.string() } })).toThrow(TypeError);
    // @ts-expect-error only one of the choices is a choice; caught at run time too
    const list = field.choices(['a', 'b'], { default: ['c'] });
    expect(() => form({ list })).toThrow(RangeError);
  });
});

describe('[A3] [A6] the schema of a question', () => {
  it('may be any of those that can be one, without a cast', () => {
    const message = 'Name?';
    const schemas = [
      form({ name: field.string() }),
      z.object({ name: z.string() }),
      z3.object({ name: z3.string() }),
      z.toJSONSchema(z.object({ name: z.string() })),
      z3.toJSONSchema(z3.object({ name: z3.string() })),
      { type: 'object', properties: { name: { type: 'string' } } } as const,
    ];
    for (const requestedSchema of schemas) {
      expect(inputRequired.elicit({ message, requestedSchema }).params).toMatchObject({
        mode: 'form',
        message: 'Name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      });
    }
  });
});
