import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from '../support/json.ts';

/** The specification's own JSON schema of one revision, as a validator of what a server sends. */
export interface SchemaCheck {
  /** What is wrong with `message` as a message of a server; `method` is the one that it answers, if it is an answer. */
  problemOf(message: Json, method: string | undefined): string | undefined;
}

const REQUESTS: Readonly<Record<string, string>> = {
  'elicitation/create': 'ElicitRequest',
  'sampling/createMessage': 'CreateMessageRequest',
  'roots/list': 'ListRootsRequest',
};
const NOTIFICATIONS: Readonly<Record<string, string>> = {
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
};
const RESULTS: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  'tools/call': 'CallToolResult',
  'prompts/get': 'GetPromptResult',
  'resources/read': 'ReadResourceResult',
};

/** The definition that `message` is to be held against. */
export function definitionOf(message: Json, method: string | undefined): string {
  const name =
    'method' in message
      ? ('id' in message ? REQUESTS : NOTIFICATIONS)[message['method']]
      : 'error' in message
        ? 'JSONRPCError'
        : RESULTS[method ?? ''];
  if (name === undefined) throw new Error(`A message that no test expects: ${JSON.stringify(message)}`);
  return name;
}

export function createSchemaCheck(revision: string): SchemaCheck {
  const text = readFileSync(new URL(`schemas/${revision}.schema.json`, import.meta.url), 'utf8');
  const open = createAjv(revision, JSON.parse(text) as Json);
  const closed = createAjv(revision, closeForms(JSON.parse(text) as Json));
  return {
    problemOf(message, method) {
      const definition = definitionOf(message, method);
      const isRequest = 'method' in message && 'id' in message;
      return (
        open('JSONRPCMessage', message) ??
        open(definition, 'result' in message ? message['result'] : message) ??
        (isRequest ? closed(definition, message) : undefined)
      );
    },
  };
}

type Check = (definition: string, value: unknown) => string | undefined;

function createAjv(revision: string, schema: Json): Check {
  const isNewer = '$defs' in schema;
  const ajv = new (isNewer ? Ajv2020 : Ajv)({ strict: false, allErrors: true });
  formats.default(ajv as never);
  ajv.addFormat('byte', true);
  ajv.addSchema(schema, revision);
  return (definition, value) => {
    const name = definition === 'JSONRPCError' && isNewer ? 'JSONRPCErrorResponse' : definition;
    const validate = ajv.getSchema(`${revision}#/${isNewer ? '$defs' : 'definitions'}/${name}`);
    if (validate === undefined) return `revision ${revision} has no ${name}`;
    return validate(value) ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`;
  };
}

/**
 * The schema with the objects of the server's requests closed: the specification leaves objects open, but a member that
 * a revision does not list says nothing on it.
 */
function closeForms(schema: Json): Json {
  const definitions = (schema['$defs'] ?? schema['definitions']) as Json;
  for (const [name, definition] of Object.entries(definitions)) {
    if (!/^(Elicit|CreateMessage|ListRoots)Request|Schema$|^SamplingMessage$/.test(name)) continue;
    if (definition.properties?.method !== undefined) Object.assign(definition.properties, { id: {}, jsonrpc: {} });
    close(definition);
  }
  return schema;
}

function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as Json;
  if (object['type'] === 'object' && object['properties'] !== undefined) object['additionalProperties'] ??= false;
  for (const value of Object.values(object)) close(value);
}
