/** Which of the notifications that a run sends a modern client is told. */
import type { JsonRpcNotification } from '../core/json-rpc.ts';

/** Notifications that the modern revision does not have (spec: 2026-07-28, removed messages). */
const GONE = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/initialized',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
]);

export function isGone(method: string): boolean {
  return GONE.has(method);
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/**
 * Whether the client wants it: log messages only where its request asked for them (spec: server/utilities/logging), from
 * `level` on.
 */
export function isWanted({ method, params }: JsonRpcNotification, level: string | undefined): boolean {
  if (method !== 'notifications/message') return true;
  return level !== undefined && LEVELS.indexOf(String(params?.['level'])) >= LEVELS.indexOf(level);
}
