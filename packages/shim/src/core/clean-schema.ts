/** Brings the JSON Schema that a generator wrote to the vocabulary of a form. */
import { defaultIssue } from './check-content.ts';
import { formProblem } from './check-form.ts';
import type { FormSchema } from './embedded-request.ts';
import { definedMembers, isJsonObject, type JsonObject, ownMember } from './json.ts';
import { isFormat } from './text-format.ts';

const CANNOT_SAY: Readonly<Record<string, string>> = {
  pattern: 'a regular expression',
  anyOf: 'a union',
  allOf: 'an intersection',
  not: 'a negation',
  exclusiveMinimum: 'an exclusive bound (give an inclusive one)',
  exclusiveMaximum: 'an exclusive bound (give an inclusive one)',
  multipleOf: 'a step',
  properties: 'a nested object (it is flat)',
  additionalProperties: 'a nested object',
  prefixItems: 'a tuple',
  uniqueItems: 'that items differ',
  const: 'a constant that is no text',
  $ref: 'a shared definition',
};
const CONSTRAINTS = new Set(
  'contains minContains maxContains if then else dependentRequired dependentSchemas patternProperties propertyNames minProperties maxProperties additionalItems unevaluatedItems unevaluatedProperties contentEncoding'.split(
    ' ',
  ),
);
const CAN_SAY = new Set(
  'type title description default minLength maxLength format minimum maximum enum enumNames oneOf items minItems maxItems'.split(
    ' ',
  ),
);

const COMBINED = ['anyOf', 'allOf', 'oneOf', 'not'];

/**
 * `generated` as the schema of a form. Left out are what a validator needs and a person does not see (the pattern of a
 * format, the limits of a safe integer), and annotations that a form does not have. A single text to choose from comes as
 * a choice.
 *
 * @throws TypeError that names the field, when it says what a form cannot.
 */
export function cleanSchema(generated: JsonObject): FormSchema {
  const shared = generated['$defs'] ?? generated['definitions'];
  const root = resolved(generated, shared);
  const { type, title, description, properties, required } = root;
  const form: JsonObject = definedMembers({ type, title, description, properties, required });
  if (isJsonObject(properties)) {
    form['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        cleanField(name, withItems(resolved(field, shared), shared)),
      ]),
    );
  }
  const combined = Object.keys(root).find((member) => COMBINED.includes(member) || CONSTRAINTS.has(member));
  const problem = combined === undefined ? formProblem(form) : 'it must be one flat object';
  if (problem !== undefined) throw new TypeError(`This schema cannot be a form: ${problem}`);
  for (const [name, field] of Object.entries((form as unknown as FormSchema).properties)) {
    const issue = defaultIssue(field);
    if (issue !== undefined) throw new TypeError(`This schema cannot be a form: field "${name}": ${issue}`);
  }
  return form as unknown as FormSchema;
}

// What the choices of a list are called and described as, nobody sees.
function withItems(field: JsonObject, shared: unknown): JsonObject {
  if (!isJsonObject(field) || !isJsonObject(field['items'])) return field;
  const { title: _title, description: _description, ...items } = resolved(field['items'], shared);
  return { ...field, items };
}

// zod puts what has an id of its own under $defs, and refers to it.
function resolved(schema: unknown, shared: unknown): JsonObject {
  const { $ref, ...own } = isJsonObject(schema) ? schema : {};
  const name = typeof $ref === 'string' ? /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref)?.[1] : undefined;
  const target = name !== undefined && isJsonObject(shared) ? ownMember(shared, name) : undefined;
  return isJsonObject(target) ? { ...target, ...own } : (schema as JsonObject);
}

function cleanField(name: string, field: unknown): unknown {
  if (!isJsonObject(field)) return field;
  if (Array.isArray(field['type'])) throw unsayable(name, CANNOT_SAY['anyOf']);
  const clean: JsonObject = {};
  for (const [member, value] of Object.entries(field)) {
    if (value === undefined || isNoise(member, field)) continue;
    if (member === 'const' && typeof value === 'string' && field['enum'] === undefined) clean['enum'] = [value];
    else if (member === 'items') clean['items'] = cleanItems(name, value);
    else if (CAN_SAY.has(member)) clean[member] = value;
    else if (Object.hasOwn(CANNOT_SAY, member)) throw unsayable(name, CANNOT_SAY[member]);
    else if (CONSTRAINTS.has(member)) throw unsayable(name, `"${member}"`);
  }
  return clean;
}

// The titles of a multiple choice are under anyOf, which of a field itself would be a union.
function cleanItems(name: string, items: unknown): unknown {
  if (!isJsonObject(items)) return items;
  const { anyOf, enum: values, const: value } = items;
  if (anyOf === undefined && values === undefined && value === undefined) {
    throw unsayable(name, 'a list of anything but choices');
  }
  if (anyOf === undefined) return cleanField(name, items);
  const other = Object.keys(items).find((member) => member !== 'anyOf' && Object.hasOwn(CANNOT_SAY, member));
  if (other !== undefined || values !== undefined) throw unsayable(name, `"${other ?? 'enum'}" beside anyOf`);
  return { anyOf };
}

function unsayable(name: string, what: string | undefined): TypeError {
  return new TypeError(`This schema cannot be a form: field "${name}": a form cannot say ${what}`);
}

function isNoise(member: string, field: JsonObject): boolean {
  if (member === 'pattern') return isFormat(field['format']);
  const isBound = member === 'minimum' || member === 'maximum';
  return isBound && field['type'] === 'integer' && Math.abs(Number(field[member])) === Number.MAX_SAFE_INTEGER;
}
