import { field, form } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';

const STAGES = [
  { const: 'prod', title: 'Production' },
  { const: 'test', title: 'Testing' },
] as const;

describe('[A1] a form of one field', () => {
  it.each([
    ['text', field.string(), { type: 'string' }],
    [
      'text with every keyword',
      field.string({ title: 'T', description: 'D', minLength: 1, maxLength: 9, default: 'Ada' }),
      { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 9, default: 'Ada' },
    ],
    ['an e-mail address', field.string({ format: 'email' }), { type: 'string', format: 'email' }],
    ['a URI', field.string({ format: 'uri' }), { type: 'string', format: 'uri' }],
    ['a date', field.string({ format: 'date' }), { type: 'string', format: 'date' }],
    ['a date and time', field.string({ format: 'date-time' }), { type: 'string', format: 'date-time' }],
    ['a number', field.number(), { type: 'number' }],
    [
      'a number with every keyword',
      field.number({ title: 'T', description: 'D', minimum: -0.5, maximum: 1.5, default: 0.25 }),
      { type: 'number', title: 'T', description: 'D', minimum: -0.5, maximum: 1.5, default: 0.25 },
    ],
    ['a whole number', field.integer(), { type: 'integer' }],
    [
      'a whole number with every keyword',
      field.integer({ title: 'T', description: 'D', minimum: 1, maximum: 12, default: 2 }),
      { type: 'integer', title: 'T', description: 'D', minimum: 1, maximum: 12, default: 2 },
    ],
    ['a box to tick', field.boolean(), { type: 'boolean' }],
    [
      'a box to tick with every keyword',
      field.boolean({ title: 'T', description: 'D', default: false }),
      { type: 'boolean', title: 'T', description: 'D', default: false },
    ],
    ['a choice', field.choice(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [
      'a choice with every keyword',
      field.choice(['a', 'b'], { title: 'T', description: 'D', default: 'b' }),
      { type: 'string', enum: ['a', 'b'], title: 'T', description: 'D', default: 'b' },
    ],
    ['a choice with titles', field.choice(STAGES), { type: 'string', oneOf: STAGES }],
    [
      'a choice where one has a title',
      field.choice(['dev', STAGES[0]], { default: 'prod' }),
      { type: 'string', oneOf: [{ const: 'dev', title: 'dev' }, STAGES[0]], default: 'prod' },
    ],
    ['several choices', field.choices(['a', 'b']), { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    [
      'several choices with every keyword',
      field.choices(['a', 'b'], { title: 'T', description: 'D', minItems: 1, maxItems: 2, default: ['a'] }),
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        title: 'T',
        description: 'D',
        minItems: 1,
        maxItems: 2,
        default: ['a'],
      },
    ],
    ['several choices with titles', field.choices(STAGES), { type: 'array', items: { anyOf: STAGES } }],
    [
      'several choices where one has a title',
      field.choices([STAGES[1], 'dev']),
      { type: 'array', items: { anyOf: [STAGES[1], { const: 'dev', title: 'dev' }] } },
    ],
  ])('is its JSON Schema: %s', (_, one, schema) => {
    expect({ ...form({ f: one }) }).toStrictEqual({ type: 'object', properties: { f: schema }, required: ['f'] });
  });
});

describe('[A1] a form', () => {
  it('requires every field that is not optional, also with a default, in the order given', () => {
    const { properties, required } = form({
      z: field.string(),
      o: field.string({ optional: true }),
      a: field.integer({ default: 1 }),
      p: field.boolean({ optional: true, default: true }),
      n: field.number({ optional: false }),
    });
    expect(Object.keys(properties)).toStrictEqual(['z', 'o', 'a', 'p', 'n']);
    expect(required).toStrictEqual(['z', 'a', 'n']);
    expect(properties['o']).toStrictEqual({ type: 'string' });
    expect(properties['p']).toStrictEqual({ type: 'boolean', default: true });
  });

  it('of optional fields requires none', () => {
    expect(form({ o: field.string({ optional: true }) }).required).toStrictEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('may have a field named %s', (name) => {
    const made = form({ [name]: field.string({ default: 'x' }) });
    expect(Object.entries(made.properties)).toStrictEqual([[name, { type: 'string', default: 'x' }]]);
    expect(made.required).toStrictEqual([name]);
    expect(Object.getPrototypeOf(made.properties)).toBe(Object.prototype);
  });

  it('is nothing but its JSON Schema where it is written out', () => {
    const made = form({ f: field.string() });
    expect(JSON.stringify(made)).toBe('{"type":"object","properties":{"f":{"type":"string"}},"required":["f"]}');
    expect(Object.keys(made)).toStrictEqual(['type', 'properties', 'required']);
    expect(made).toHaveProperty('~standard.vendor', 'mcp-dual-era');
    expect(structuredClone(made)).not.toHaveProperty('~standard');
  });

  it('shares no field with another form that has one more', () => {
    const name = field.string();
    const [one, two] = [form({ name }), form({ name, age: field.integer() })];
    expect(Object.keys(one.properties)).toStrictEqual(['name']);
    expect(Object.keys(two.properties)).toStrictEqual(['name', 'age']);
  });

  it('has a list of choices of its own', () => {
    const choices = ['a', 'b'];
    const made = form({ f: field.choice(choices), g: field.choices(choices) });
    choices.push('c');
    expect(made.properties).toStrictEqual({
      f: { type: 'string', enum: ['a', 'b'] },
      g: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    });
  });
});
