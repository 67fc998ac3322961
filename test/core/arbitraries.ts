/** What the property tests are run on. */
import fc, { type Arbitrary } from 'fast-check';
import type { FormField, FormSchema } from 'mcp-dual-era';
import type { Json } from '../support/json.ts';

/** Names that find something on a prototype when they are looked up carelessly. */
export const HOSTILE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** Any object with members named out of `names`, made of own members only, `__proto__` included. */
function objectWith(names: readonly string[], value: Arbitrary<unknown>): Arbitrary<Json> {
  const entries = fc.array(fc.tuple(fc.constantFrom(...names, ...HOSTILE_NAMES), value), { maxLength: 8 });
  return entries.map((members) => Object.fromEntries(members));
}

/** Any JSON with members named out of `names`, a few levels deep. */
export function jsonWith(names: readonly string[]): Arbitrary<unknown> {
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', maxDepth: 5 },
      fc.constantFrom<unknown>(null, true, false, 0, -1.5, '', 'text', {}),
      objectWith(names, tie('node')),
      fc.array(tie('node'), { maxLength: 2 }),
    ),
  }));
  return node as Arbitrary<unknown>;
}

// Code points without lone surrogates, which are no JSON text; so that a length in units is one in characters.
const text = fc.string({ unit: 'binary', maxLength: 5 });
const choices = fc.uniqueArray(text, { minLength: 1, maxLength: 4 });
const titled = choices.map((values) => values.map((value, index) => ({ const: value, title: `Choice ${index}` })));

function field(base: Json, members: Record<string, Arbitrary<unknown>>): Arbitrary<FormField> {
  const some = fc.record({ title: text, description: text, ...members }, { requiredKeys: [] });
  return some.map((said) => ({ ...said, ...base }) as FormField);
}

// The bounds of a field leave room: every field can be answered.
const lengths = { minLength: fc.nat(3), maxLength: fc.integer({ min: 3, max: 5 }) };
const bounds = {
  minimum: fc.double({ min: -100, max: 0, noNaN: true }),
  maximum: fc.double({ min: 0, max: 100, noNaN: true }),
};
const counts = { minItems: fc.nat(2), maxItems: fc.integer({ min: 2, max: 4 }) };

const formField: Arbitrary<FormField> = fc.oneof(
  field({ type: 'string' }, { ...lengths, default: text }),
  field({ type: 'number' }, { ...bounds, default: fc.integer() }),
  field({ type: 'integer' }, { ...bounds, default: fc.integer() }),
  field({ type: 'boolean' }, { default: fc.boolean() }),
  choices.chain((values) => field({ type: 'string', enum: values }, { default: text })),
  choices.chain((values) =>
    field({ type: 'string', enum: values, enumNames: values.map((value) => `= ${value}`) }, {}),
  ),
  titled.chain((values) => field({ type: 'string', oneOf: values }, { default: text })),
  choices.chain((values) => field({ type: 'array', items: { type: 'string', enum: values } }, counts)),
  titled.chain((values) => field({ type: 'array', items: { anyOf: values } }, { ...counts, default: choices })),
);

// Without __proto__, which ajv leaves out of a schema's properties.
const fieldName = fc.oneof(text, fc.constantFrom('constructor', 'toString', 'valueOf', 'a~b/c'));

/** Forms as the specification has them. */
export const form: Arbitrary<FormSchema> = fc
  .uniqueArray(fc.tuple(fieldName, formField), { selector: ([name]) => name, maxLength: 5 })
  .chain((fields) =>
    fc.subarray(fields.map(([name]) => name)).map((required) => ({
      type: 'object' as const,
      properties: Object.fromEntries(fields),
      required,
    })),
  );

/** A right value for `asked`. */
function valueFor(asked: FormField): Arbitrary<unknown> {
  switch (asked.type) {
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.double({ min: asked.minimum ?? -1e9, max: asked.maximum ?? 1e9, noNaN: true });
    case 'integer':
      return fc.integer({ min: Math.ceil(asked.minimum ?? -1e9), max: Math.floor(asked.maximum ?? 1e9) });
    case 'array': {
      const offered = 'anyOf' in asked.items ? asked.items.anyOf.map((choice) => choice.const) : asked.items.enum;
      return fc.array(fc.constantFrom(...offered), {
        minLength: asked.minItems ?? 0,
        maxLength: asked.maxItems ?? 4,
      });
    }
    default: {
      const { oneOf, enum: values, minLength = 0, maxLength = 5 } = asked as Json;
      if (oneOf !== undefined) return fc.constantFrom(...oneOf.map((choice: Json) => choice['const']));
      return values === undefined ? fc.string({ unit: 'binary', minLength, maxLength }) : fc.constantFrom(...values);
    }
  }
}

/** A form with a right answer to it. */
export const answeredForm: Arbitrary<{ schema: FormSchema; content: Json }> = form.chain((schema) =>
  contentOf(schema, valueFor, schema.required).map((content) => ({ schema, content })),
);

/** A form with any contents: right values, wrong ones, values too many and too few. */
export const formWithAnyContents: Arbitrary<{ schema: FormSchema; contents: Json[] }> = form.chain((schema) => {
  const anyValue = (asked: FormField) =>
    fc.oneof(
      { weight: 3, arbitrary: valueFor(asked) },
      { weight: 1, arbitrary: formField.chain(valueFor) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
    );
  const contents = fc.array(contentOf(schema, anyValue, []), { minLength: 10, maxLength: 10 });
  return contents.map((given) => ({ schema, contents: given }));
});

function contentOf(
  { properties }: FormSchema,
  value: (asked: FormField) => Arbitrary<unknown>,
  requiredKeys: readonly string[] = [],
): Arbitrary<Json> {
  const members = Object.entries(properties).map(([name, asked]) => {
    const given = value(asked).map((one) => [[name, one]] as [string, unknown][]);
    return requiredKeys.includes(name) ? given : fc.oneof(given, fc.constant<[string, unknown][]>([]));
  });
  const entries = fc.tuple(...members, fc.constantFrom<[string, unknown][]>([], [['not asked for', 1]]));
  return entries.map((lists) => Object.fromEntries(lists.flat()));
}
