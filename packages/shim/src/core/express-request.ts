/** Says an embedded request in the words of one revision, or says why that revision cannot. */

import type { CheckedRequest } from './check-ask.ts';
import { blocksOf } from './check-sampling.ts';
import type { ChoiceField, FormField, FormSchema } from './embedded-request.ts';
import { defineMember, type JsonObject } from './json.ts';
import { hasAudio, hasElicitationModes, hasKind } from './revision.ts';

export type Expressed = { readonly params: JsonObject } | { readonly cannot: string };

/** The params of the live request for `request` on the handshake revision `revision`. */
export function expressRequest(request: CheckedRequest, revision: string): Expressed {
  if (!hasKind(revision, request.kind)) return { cannot: `revision ${revision} has no ${KIND_NAMES[request.kind]}` };
  switch (request.kind) {
    case 'form':
      return expressForm(request.params, revision);
    case 'roots':
      return { params: request.params };
    case 'url':
      return { params: withMessage(request.params) };
    default:
      return expressSampling(request.params, revision);
  }
}

const KIND_NAMES = {
  form: 'elicitation',
  url: 'URL mode elicitation',
  sampling: 'sampling',
  'sampling.tools': 'sampling with tools',
  roots: 'roots',
};

/** The message as a person sees it: with its note, if it has one. */
export function messageOf(params: JsonObject): string {
  const { message, note } = params;
  return typeof note === 'string' && note !== '' ? `${String(message)}\n\n${note}` : String(message);
}

function withMessage(params: JsonObject): JsonObject {
  if (params['note'] === undefined) return params;
  const { note: _note, ...others } = params;
  return { ...others, message: messageOf(params) };
}

function expressForm(params: JsonObject, revision: string): Expressed {
  const schema = params['requestedSchema'] as FormSchema;
  if (hasElicitationModes(revision)) {
    const plain = plainSchema(schema);
    // As the builder makes them, the params go out as they are.
    if (plain === schema && params['mode'] === 'form' && params['note'] === undefined) return { params };
    return { params: { ...withMessage(params), mode: 'form', requestedSchema: plain } };
  }
  const { mode: _mode, requestedSchema: _schema, ...said } = withMessage(params);
  const properties: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    if (field.type === 'array') return { cannot: `revision ${revision} has no multiple choice (field "${name}")` };
    defineMember(properties, name, fieldBeforeModes(field));
  }
  const { $schema, required, ...older } = plainSchema(schema);
  // A field whose default is filled in on the answer may be left empty, so it is not required of the person.
  const asked = required?.filter((name) => !isFilledIn(schema.properties[name]));
  const requirement = asked === undefined ? {} : { required: asked };
  return { params: { ...said, requestedSchema: { ...older, properties, ...requirement } } };
}

// additionalProperties, which schema generators add, is no part of a form on any revision.
function plainSchema(schema: FormSchema): FormSchema {
  if (!('additionalProperties' in schema)) return schema;
  const { additionalProperties: _additional, ...plain } = schema;
  return plain;
}

function isFilledIn(field: FormField | undefined): boolean {
  return field !== undefined && field.type !== 'boolean' && field.default !== undefined;
}

function fieldBeforeModes(field: FormField): unknown {
  if (field.type === 'boolean') return field;
  const { default: _default, ...said } = field;
  const choices = (field as ChoiceField).oneOf;
  if (choices === undefined) return said;
  const { oneOf: _oneOf, ...titled } = said as ChoiceField;
  return { ...titled, enum: choices.map((choice) => choice.const), enumNames: choices.map((choice) => choice.title) };
}

function expressSampling(params: JsonObject, revision: string): Expressed {
  const messages = params['messages'] as JsonObject[];
  if (hasElicitationModes(revision)) return { params };
  const said: JsonObject[] = [];
  for (const message of messages) {
    const [block, second] = blocksOf(message['content']);
    if (block === undefined || second !== undefined) {
      return { cannot: `revision ${revision} has only one content block in a sampling message` };
    }
    if (isNewer(block['type'], revision)) {
      return { cannot: `revision ${revision} has no ${String(block['type'])} block in a sampling message` };
    }
    said.push({ ...message, content: block });
  }
  return { params: { ...params, messages: said } };
}

function isNewer(type: unknown, revision: string): boolean {
  return type === 'tool_use' || type === 'tool_result' || (type === 'audio' && !hasAudio(revision));
}
