import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from '../support/json.ts';

/** The specification's own schema of 2026-07-28, held against all that a server sends to a modern client. */

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  'notifications/message': 'LoggingMessageNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
};
const RESULTS: Readonly<Record<string, string>> = {
  'completion/complete': 'CompleteResult',
  'prompts/get': 'GetPromptResult',
  'prompts/list': 'ListPromptsResult',
  'resources/list': 'ListResourcesResult',
  'resources/read': 'ReadResourceResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'server/discover': 'DiscoverResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'tools/call': 'CallToolResult',
  'tools/list': 'ListToolsResult',
};

const file = readFileSync(new URL('../spec/schemas/2026-07-28.schema.json', import.meta.url), 'utf8');
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv as never);
ajv.addFormat('byte', true);
ajv.addSchema(JSON.parse(file) as Json, 'modern');

/** @throws Error for a message that a server must not send; `method` is the one that an answer is to, where that is known. */
export function expectValid(message: Json, method: string): void {
  if ('method' in message) {
    const definition = NOTIFICATIONS[message['method']];
    // Never a request, and no notification that the revision does not have.
    if (definition === undefined || 'id' in message) throw new Error(`No server sends ${JSON.stringify(message)}`);
    check(definition, message);
  } else if ('error' in message) {
    check('JSONRPCErrorResponse', message);
  } else {
    const { result } = message;
    check('JSONRPCResultResponse', message);
    check(result.resultType === 'input_required' ? 'InputRequiredResult' : (RESULTS[method] ?? 'Result'), result);
  }
}

function check(definition: string, value: unknown): void {
  const validate = ajv.getSchema(`modern#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`The schema has no ${definition}`);
  if (!validate(value)) throw new Error(`${definition}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`);
}
