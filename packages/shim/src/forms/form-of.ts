/** Takes the schema of a form from wherever a handler has one: the one place that asks zod for a JSON Schema. */
import { toJSONSchema } from 'zod/v4/core';
import { cleanSchema } from '../core/clean-schema.ts';
import type { FormSchema } from '../core/embedded-request.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';

// A schema is asked again and again, and does not change.
const converted = new WeakMap<object, FormSchema>();

/**
 * The JSON Schema of the form that `given` describes: a zod object, the output of `form` or of a schema generator, or
 * any Standard Schema that can give its JSON Schema. What is plain already is handed back as it is.
 *
 * @throws TypeError that names the field, when `given` says what a form cannot.
 */
export function formOf(given: unknown): FormSchema {
  if (!isSchema(given) || !isForeign(given)) return given as FormSchema;
  const known = converted.get(given);
  if (known !== undefined) return known;
  const schema = deepFrozen(structuredClone(cleanSchema(jsonSchemaOf(given))));
  if (isLasting(given, schema)) converted.set(given, schema);
  return schema;
}

// A schema of arktype is a function.
function isSchema(given: unknown): given is JsonObject {
  return isJsonObject(given) || (typeof given === 'function' && '~standard' in given);
}

// Whatever names its dialect comes from a generator. (A schema made with `form` has no enumerable member but its own.)
function isForeign(given: JsonObject): boolean {
  return '_zod' in given || '$schema' in given || ('~standard' in given && !('properties' in given));
}

// Plain JSON Schema can be changed by who made it, and a default can be a function that gives another value each time.
function isLasting(given: JsonObject, { properties }: FormSchema): boolean {
  return !('$schema' in given) && !Object.values(properties).some((field) => field.default !== undefined);
}

interface Converted {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: { default?: unknown };
}

// What zod puts in place of a wrong answer is no answer to show beforehand.
function override({ zodSchema, jsonSchema }: Converted): void {
  if (zodSchema._zod.def.type === 'catch') delete jsonSchema.default;
}

function jsonSchemaOf(given: JsonObject): JsonObject {
  if ('_zod' in given)
    return toJSONSchema(given as never, { io: 'input', unrepresentable: 'any', override }) as JsonObject;
  if ('$schema' in given) return given;
  const standard = given['~standard'];
  const generator = isJsonObject(standard) ? standard['jsonSchema'] : undefined;
  const input = isJsonObject(generator) ? generator['input'] : undefined;
  if (typeof input === 'function') return input({ target: 'draft-2020-12' }) as JsonObject;
  throw new TypeError(
    'requestedSchema must be a zod object (zod 4, or zod/v4 of zod 3.25), form() or JSON Schema, ' +
      'got a schema that only validates',
  );
}

// It is handed out again: who changed it would change every later question.
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}
