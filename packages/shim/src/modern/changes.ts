/** Changes that an instance announces to whoever listens: lists that changed, and resources that were updated. */
import type { ServerEvent, ServerNotifier } from '@modelcontextprotocol/server';
import type { JsonRpcNotification } from '../core/json-rpc.ts';

export type { ServerEvent, ServerNotifier };

const KINDS = {
  'notifications/tools/list_changed': 'tools_list_changed',
  'notifications/prompts/list_changed': 'prompts_list_changed',
  'notifications/resources/list_changed': 'resources_list_changed',
  'notifications/resources/updated': 'resource_updated',
} as const;

export function isChange({ method }: JsonRpcNotification): boolean {
  return Object.hasOwn(KINDS, method);
}

/** `notification` as an event of the bus that modern listeners hear. */
export function eventOf({ method, params }: JsonRpcNotification): ServerEvent {
  const kind = KINDS[method as keyof typeof KINDS];
  // What one instance says beside it is not for the clients of others.
  const { _meta: _, ...own } = params ?? {};
  const given = params === undefined ? {} : { params: own };
  return kind === 'resource_updated' ? { kind, uri: String(params?.['uri']), ...given } : { kind, ...given };
}

/** `event` as a notification of the handshake era. */
export function notificationOf(event: ServerEvent): JsonRpcNotification {
  const method = METHODS.get(event.kind) ?? event.kind;
  const uri = event.kind === 'resource_updated' ? { uri: event.uri } : {};
  return { jsonrpc: '2.0', method, params: { ...event.params, ...uri } };
}

const METHODS = new Map(Object.entries(KINDS).map(([method, kind]) => [kind, method]));
