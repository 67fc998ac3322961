/** Checks what a person typed against the form that was asked, without generating code. */
import type { Choice, FormField, FormSchema, StringField } from './embedded-request.ts';
import { defineMember, describeValue, type JsonObject } from './json.ts';
import type { AnswerIssue } from './standard-schema.ts';
import { formatProblem } from './text-format.ts';

/**
 * What is wrong with `content` as an answer to the form `schema`; empty when nothing is. Reads own members only, takes
 * time in proportion to the form and the lengths it allows, and reports at most one issue per field.
 */
export function contentIssues(content: JsonObject, schema: FormSchema): AnswerIssue[] {
  const issues: AnswerIssue[] = [];
  // The one name that turns a careless copy of the content into something else.
  if (
    schema.additionalProperties !== false &&
    Object.hasOwn(content, '__proto__') &&
    !Object.hasOwn(schema.properties, '__proto__')
  ) {
    issues.push({ path: '__proto__', message: 'is no field of the form' });
  }
  if (schema.additionalProperties === false) {
    const other = Object.keys(content).find((name) => !Object.hasOwn(schema.properties, name));
    if (other !== undefined) issues.push({ path: other, message: 'is no field of the form' });
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(content, name) || issues.some(({ path }) => path === name)) continue;
    issues.push({ path: name, message: 'is required' });
  }
  for (const name of Object.keys(schema.properties)) {
    const field = schema.properties[name];
    if (field === undefined || !Object.hasOwn(content, name)) continue;
    const message = valueProblem(content[name], field);
    if (message !== undefined) issues.push({ path: name, message });
  }
  return issues;
}

/** What is wrong with the default of `field` as an answer to it; undefined when nothing is. */
export function defaultIssue(field: FormField): string | undefined {
  const { default: value } = field;
  const problem = value === undefined ? undefined : valueProblem(value, field);
  return problem === undefined ? undefined : `its default ${problem}, got ${describeValue(value)}`;
}

/** `content` with each field that it lacks and the form has a default for. `content` itself is not changed. */
export function withDefaults(content: JsonObject, schema: FormSchema): JsonObject {
  let filled = content;
  for (const name of Object.keys(schema.properties)) {
    const value = schema.properties[name]?.default;
    if (value === undefined || Object.hasOwn(content, name)) continue;
    if (filled === content) filled = { ...content };
    defineMember(filled, name, Array.isArray(value) ? [...value] : value);
  }
  return filled;
}

function valueProblem(value: unknown, field: FormField): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number':
    case 'integer':
      return numberProblem(value, field);
    case 'array':
      return listProblem(value, field);
    default:
      return textProblem(value, field);
  }
}

function numberProblem(value: unknown, field: FormField & { type: 'number' | 'integer' }): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (field.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (field.minimum !== undefined && value < field.minimum) return `must be at least ${field.minimum}`;
  if (field.maximum !== undefined && value > field.maximum) return `must be at most ${field.maximum}`;
  return undefined;
}

function listProblem(value: unknown, field: FormField & { type: 'array' }): string | undefined {
  const choices = choicesOf(field.items);
  if (!Array.isArray(value)) return 'must be a list of choices';
  if (field.minItems !== undefined && value.length < field.minItems) return `must have at least ${field.minItems}`;
  if (field.maxItems !== undefined && value.length > field.maxItems) return `must have at most ${field.maxItems}`;
  const offered = new Set<unknown>(choices);
  return value.every((entry) => offered.has(entry)) ? undefined : 'must name only choices that are offered';
}

function choicesOf(items: (FormField & { type: 'array' })['items']): readonly string[] {
  const { anyOf, enum: values } = items as { anyOf?: Choice[]; enum?: string[] };
  return anyOf?.map((choice) => choice.const) ?? values ?? [];
}

function textProblem(value: unknown, field: Exclude<FormField, { type: 'array' | 'boolean' | 'number' | 'integer' }>) {
  if (typeof value !== 'string') return 'must be text';
  if ('oneOf' in field && field.oneOf !== undefined) {
    return field.oneOf.some((choice) => choice.const === value) ? undefined : 'must be one of the choices offered';
  }
  if ('enum' in field && field.enum !== undefined) {
    return field.enum.includes(value) ? undefined : 'must be one of the choices offered';
  }
  const plain = field as StringField;
  return lengthProblem(value, plain) ?? formatProblem(value, plain.format);
}

function lengthProblem(value: string, { minLength, maxLength }: StringField): string | undefined {
  if (minLength === undefined && maxLength === undefined) return undefined;
  // A code point takes at most two code units: an oversized text is refused without being walked through.
  if (maxLength !== undefined && value.length > 2 * maxLength) return `must have at most ${maxLength} characters`;
  let length = 0;
  for (const _character of value) length += 1;
  if (minLength !== undefined && length < minLength) return `must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  return undefined;
}
