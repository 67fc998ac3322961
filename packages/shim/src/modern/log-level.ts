/** Log messages go to a modern client only where its request asked for them (spec: server/utilities/logging). */

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Whether a message of `level` is to be sent for a request that asked for `wanted` and above. */
export function isWanted(level: unknown, wanted: string | undefined): boolean {
  if (wanted === undefined) return false;
  return LEVELS.indexOf(String(level)) >= LEVELS.indexOf(wanted);
}
