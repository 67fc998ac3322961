/** Checks a form's schema against the restricted vocabulary (spec: client/elicitation, requested schema). */
import { choiceProblem, isStringList } from './check-choices.ts';
import { describeValue, isJsonObject, type JsonObject } from './json.ts';
import { isFormat } from './text-format.ts';

const FORM_MEMBERS = new Set([
  '$schema',
  'type',
  'properties',
  'required',
  'title',
  'description',
  'additionalProperties',
]);
const COMMON = ['type', 'title', 'description', 'default'];
const MEMBERS: Record<string, ReadonlySet<string>> = {
  string: new Set([...COMMON, 'minLength', 'maxLength', 'format', 'enum', 'enumNames', 'oneOf']),
  number: new Set([...COMMON, 'minimum', 'maximum']),
  integer: new Set([...COMMON, 'minimum', 'maximum']),
  boolean: new Set(COMMON),
  array: new Set([...COMMON, 'items', 'minItems', 'maxItems']),
};
const LABELS = ['title', 'description'];

/** The first thing wrong with `schema` as the schema of a form, in words for its author; undefined when it is right. */
export function formProblem(schema: unknown): string | undefined {
  if (!isJsonObject(schema))
    return `requestedSchema must be a zod object, form() or JSON Schema, got ${describeValue(schema)}`;
  if (schema['type'] !== 'object') {
    return `requestedSchema must have type "object", got ${describeValue(schema['type'])}`;
  }
  const { $schema, properties } = schema;
  if ($schema !== undefined && typeof $schema !== 'string') return '$schema must be a string';
  const problem = labelProblem(schema);
  if (problem !== undefined) return problem;
  if (!isJsonObject(properties)) return `requestedSchema must have properties, got ${describeValue(properties)}`;
  for (const member in schema) {
    if (!FORM_MEMBERS.has(member) && schema[member] !== undefined)
      return `a form cannot say "${member}"; it has type, properties and required only`;
  }
  for (const name of Object.keys(properties)) {
    const problem = fieldProblem(properties[name]);
    if (problem !== undefined) return `field "${name}": ${problem}`;
  }
  return requiredProblem(schema['required'], properties);
}

function requiredProblem(required: unknown, properties: JsonObject): string | undefined {
  if (required === undefined) return undefined;
  if (!isStringList(required)) return 'required must be a list of field names';
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  return unknown === undefined ? undefined : `required names "${unknown}", which is no field of the form`;
}

/** The first thing wrong with `field` as a field of a form; undefined when it is right. */
export function fieldProblem(field: unknown): string | undefined {
  if (!isJsonObject(field)) return `must be a JSON Schema object, got ${describeValue(field)}`;
  const type = field['type'];
  const members = typeof type === 'string' && Object.hasOwn(MEMBERS, type) ? MEMBERS[type] : undefined;
  if (members === undefined) {
    return `type must be string, number, integer, boolean or array, got ${describeValue(type)}`;
  }
  for (const member in field) {
    if (!members.has(member) && field[member] !== undefined) return `a form cannot say "${member}" of a ${type} field`;
  }
  return (
    labelProblem(field) ?? formatProblem(field) ?? boundsProblem(field) ?? choiceProblem(field) ?? defaultProblem(field)
  );
}

function labelProblem(labelled: JsonObject): string | undefined {
  for (const label of LABELS) {
    if (labelled[label] !== undefined && typeof labelled[label] !== 'string') return `${label} must be a string`;
  }
  return undefined;
}

function formatProblem(field: JsonObject): string | undefined {
  const format = field['format'];
  if (format === undefined || isFormat(format)) return undefined;
  return `format must be email, uri, date or date-time, got ${describeValue(format)}`;
}

/** What limits a field of each type; no other bound gets as far as here. */
const BOUNDS: Readonly<Record<string, readonly [low: string, high: string]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
};

function boundsProblem(field: JsonObject): string | undefined {
  const pair = BOUNDS[String(field['type'])];
  if (pair === undefined) return undefined;
  const [low, high] = pair;
  const isCount = low !== 'minimum';
  for (const member of pair) {
    const value = field[member];
    if (value === undefined) continue;
    const isFine = isCount ? Number.isSafeInteger(value) && Number(value) >= 0 : Number.isFinite(value);
    if (!isFine) return `${member} must be a ${isCount ? 'whole number >= 0' : 'number'}, got ${describeValue(value)}`;
  }
  return Number(field[low]) > Number(field[high]) ? `${low} is above ${high}` : undefined;
}

// Only the type is looked at: a default outside the bounds is an answer to correct, not a malformed question.
function defaultProblem(field: JsonObject): string | undefined {
  const value = field['default'];
  if (value === undefined) return undefined;
  const isFine = field['type'] === 'array' ? isStringList(value) : isOfType(value, field['type']);
  return isFine ? undefined : `default must be of the type of the field, got ${describeValue(value)}`;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}
