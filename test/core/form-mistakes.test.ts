import { field, form } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';

/** What a caller without types might give. */
const any = (value: unknown): never => value as never;

describe('[A2] a form without fields is a TypeError', () => {
  it.each([
    [{}, 'an object'],
    [[], 'an array'],
    [[field.string()], 'an array'],
    [undefined, 'undefined'],
    [null, 'null'],
    ['name', '"name"'],
  ])('%j', (fields, got) => {
    expect(() => form(any(fields))).toThrow(new TypeError(`A form needs at least one field, got ${got}`));
  });
});

describe('[A2] a field that is not made with field is a TypeError that names it', () => {
  it.each([
    ['a nested object', { a: field.string() }, 'an object'],
    ['JSON Schema', { type: 'string' }, 'an object'],
    ['a nested form', form({ a: field.string() }), 'an object'],
    ['a builder that was not called', field.string, 'a function'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['text', 'string', '"string"'],
    ['a list', [field.string()], 'an array'],
  ])('%s', (_, given, got) => {
    expect(() => form({ fine: field.string(), f: any(given) })).toThrow(
      new TypeError(`Field "f" must be made with field, for instance field.string(), got ${got}`),
    );
  });
});

const COUNT = 'must be a whole number >= 0, got';

describe('[A2] what a form cannot say is a TypeError that names the field', () => {
  it.each<[string, () => unknown, string]>([
    [
      'an unknown format',
      () => field.string(any({ format: 'ipv4' })),
      'format must be email, uri, date or date-time, got "ipv4"',
    ],
    ['a pattern', () => field.string(any({ pattern: '^a' })), 'a form cannot say "pattern" of a string field'],
    [
      'bounds of another type',
      () => field.string(any({ minimum: 1 })),
      'a form cannot say "minimum" of a string field',
    ],
    [
      'an exclusive bound',
      () => field.number(any({ exclusiveMinimum: 0 })),
      'a form cannot say "exclusiveMinimum" of a number field',
    ],
    ['a step', () => field.integer(any({ multipleOf: 5 })), 'a form cannot say "multipleOf" of a integer field'],
    ['bounds of a box', () => field.boolean(any({ minimum: 0 })), 'a form cannot say "minimum" of a boolean field'],
    [
      'that items differ',
      () => field.choices(['a'], any({ uniqueItems: true })),
      'a form cannot say "uniqueItems" of a array field',
    ],
    ['a title that is no text', () => field.string(any({ title: 1 })), 'title must be a string'],
    ['a description that is no text', () => field.boolean(any({ description: null })), 'description must be a string'],
    ['a negative minLength', () => field.string({ minLength: -1 }), `minLength ${COUNT} -1`],
    ['a fraction for maxLength', () => field.string({ maxLength: 1.5 }), `maxLength ${COUNT} 1.5`],
    ['a text for maxLength', () => field.string(any({ maxLength: '9' })), `maxLength ${COUNT} "9"`],
    ['minLength above maxLength', () => field.string({ minLength: 3, maxLength: 2 }), 'minLength is above maxLength'],
    ['a minimum that is no number', () => field.number({ minimum: Number.NaN }), 'minimum must be a number, got NaN'],
    ['an endless maximum', () => field.integer({ maximum: Infinity }), 'maximum must be a number, got Infinity'],
    ['minimum above maximum', () => field.number({ minimum: 1, maximum: 0.5 }), 'minimum is above maximum'],
    [
      'minimum above maximum of whole numbers',
      () => field.integer({ minimum: 2, maximum: 1 }),
      'minimum is above maximum',
    ],
    ['a negative minItems', () => field.choices(['a'], { minItems: -1 }), `minItems ${COUNT} -1`],
    ['a fraction for maxItems', () => field.choices(['a'], { maxItems: 0.5 }), `maxItems ${COUNT} 0.5`],
    ['minItems above maxItems', () => field.choices(['a'], { minItems: 2, maxItems: 1 }), 'minItems is above maxItems'],
    ['no choices', () => field.choice([]), 'enum must be a list of at least one string'],
    ['no choices among several', () => field.choices([]), 'enum must be a list of at least one string'],
    ['a number to choose', () => field.choice(any(['a', 1])), 'enum must be a list of at least one string'],
    ['a choice twice', () => field.choice(['a', 'b', 'a']), 'enum names a choice twice'],
    ['a choice twice among several', () => field.choices(['a', 'a']), 'enum names a choice twice'],
    [
      'a titled choice twice',
      () =>
        field.choice([
          { const: 'a', title: 'A' },
          { const: 'a', title: 'B' },
        ]),
      'oneOf names a choice twice',
    ],
    [
      'a titled choice twice among several',
      () => field.choices([{ const: 'a', title: 'A' }, 'a']),
      'anyOf names a choice twice',
    ],
    [
      'a choice without its title',
      () => field.choice(any([{ const: 'a' }])),
      'every entry of oneOf must be { const, title }, both strings',
    ],
    [
      'a title without its choice among several',
      () => field.choices(any([{ title: 'A' }])),
      'every entry of anyOf must be { const, title }, both strings',
    ],
    ['lengths of a choice', () => field.choice(['a'], any({ maxLength: 2 })), 'maxLength does not go with choices'],
    ['null to choose', () => field.choice(any([null])), 'every entry of oneOf must be { const, title }, both strings'],
    [
      'text for a default number',
      () => field.number(any({ default: '1' })),
      'default must be of the type of the field, got "1"',
    ],
    [
      'a fraction for a default whole number',
      () => field.integer({ default: 1.5 }),
      'default must be of the type of the field, got 1.5',
    ],
    [
      'a default that is not finite',
      () => field.number({ default: Number.NaN }),
      'default must be of the type of the field, got NaN',
    ],
    [
      'text for a default box',
      () => field.boolean(any({ default: 'yes' })),
      'default must be of the type of the field, got "yes"',
    ],
    [
      'null for a default text',
      () => field.string(any({ default: null })),
      'default must be of the type of the field, got null',
    ],
    [
      'text for default choices',
      () => field.choices(['a'], any({ default: 'a' })),
      'default must be of the type of the field, got "a"',
    ],
  ])('%s', (_, make, problem) => {
    expect(() => form({ fine: field.string(), f: any(make()) })).toThrow(new TypeError(`Field "f": ${problem}`));
  });
});

describe('[A2] a default that is no right answer is a RangeError that names the field', () => {
  it.each<[string, () => unknown, string]>([
    ['too short', () => field.string({ minLength: 3, default: 'ab' }), 'must have at least 3 characters, got "ab"'],
    ['too long', () => field.string({ maxLength: 1, default: 'ab' }), 'must have at most 1 characters, got "ab"'],
    [
      'no e-mail address',
      () => field.string({ format: 'email', default: 'ada' }),
      'must be an e-mail address, got "ada"',
    ],
    ['no URI', () => field.string({ format: 'uri', default: 'ada' }), 'must be a URI, got "ada"'],
    [
      'no such day',
      () => field.string({ format: 'date', default: '2026-02-30' }),
      'must be a date (YYYY-MM-DD), got "2026-02-30"',
    ],
    [
      'no time',
      () => field.string({ format: 'date-time', default: '2026-02-03' }),
      'must be a date and time (RFC 3339), got "2026-02-03"',
    ],
    ['below the minimum', () => field.number({ minimum: 1, default: 0.5 }), 'must be at least 1, got 0.5'],
    ['above the maximum', () => field.integer({ maximum: 12, default: 13 }), 'must be at most 12, got 13'],
    [
      'not offered',
      () => field.choice(['a', 'b'], any({ default: 'c' })),
      'must be one of the choices offered, got "c"',
    ],
    [
      'a title for a choice',
      () => field.choice([{ const: 'a', title: 'A' }], any({ default: 'A' })),
      'must be one of the choices offered, got "A"',
    ],
    [
      'not offered among several',
      () => field.choices(['a'], any({ default: ['b'] })),
      'must name only choices that are offered, got an array',
    ],
    ['too few', () => field.choices(['a', 'b'], { minItems: 2, default: ['a'] }), 'must have at least 2, got an array'],
    [
      'too many',
      () => field.choices(['a', 'b'], { maxItems: 1, default: ['a', 'b'] }),
      'must have at most 1, got an array',
    ],
  ])('%s', (_, make, problem) => {
    expect(() => form({ fine: field.string(), f: any(make()) })).toThrow(
      new RangeError(`Field "f": its default ${problem}`),
    );
  });
});

describe('[A2] the name of a field in a mistake', () => {
  it.each([
    ['a"b\n', '"a\\"b\\n"'],
    ['__proto__', '"__proto__"'],
    ['constructor', '"constructor"'],
  ])('is written as JSON: %j', (name, written) => {
    const fields = JSON.parse(`{${JSON.stringify(name)}:null}`);
    expect(() => form(fields)).toThrow(
      new TypeError(`Field ${written} must be made with field, for instance field.string(), got null`),
    );
    const short = Object.fromEntries([[name, field.string({ maxLength: 1, default: 'ab' })]]);
    expect(() => form(short)).toThrow(
      new RangeError(`Field ${written}: its default must have at most 1 characters, got "ab"`),
    );
  });
});
