/** The specification's own JSON schemas, as test/spec/schemas has them. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../support/json.ts';

/** A check of values against the definition `name` in the schema of `revision`. */
export function validatorFor(revision: string, name: string): ValidateFunction {
  return compile(readSchema(revision), name);
}

/**
 * The same for what a form says, with nothing left open: the schemas allow unknown members everywhere, so that they
 * cannot tell a word of a later revision.
 */
export function closedValidatorFor(revision: string, name: string): ValidateFunction {
  const schema = readSchema(revision);
  const definitions = definitionsOf(schema);
  for (const key of Object.keys(definitions)) {
    if (/^(String|Number|Boolean|.*Enum)Schema$/.test(key)) closeObjects(definitions[key]);
  }
  const params = (definitions['ElicitRequestFormParams'] ??
    definitions['ElicitRequest']['properties']['params']) as Json;
  params['additionalProperties'] = false;
  params['properties']['requestedSchema']['additionalProperties'] = false;
  return compile(schema, name);
}

function readSchema(revision: string): Json {
  return JSON.parse(readFileSync(new URL(`../spec/schemas/${revision}.schema.json`, import.meta.url), 'utf8'));
}

function definitionsOf(schema: Json): Json {
  return schema['$defs'] ?? schema['definitions'];
}

function closeObjects(schema: Json): void {
  if (schema['properties'] === undefined) return;
  schema['additionalProperties'] ??= false;
  for (const member of Object.values<Json>(schema['properties'])) {
    closeObjects(member);
    if (member['items'] !== undefined) closeObjects(member['items']);
  }
}

function compile(schema: Json, name: string): ValidateFunction {
  const isDraft7 = schema['$schema'].includes('draft-07');
  const ajv = isDraft7 ? new Ajv({ strict: false }) : new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.compile({ ...schema, $ref: `#/${isDraft7 ? 'definitions' : '$defs'}/${name}` });
}
