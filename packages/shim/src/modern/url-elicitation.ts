/** The ask that stands for error -32042 of revision 2025-11-25, which sends a person to pages before the call can go on. */
import { isJsonObject, type JsonObject } from '../core/json.ts';

/** An ask for every page that `data` of the error names; undefined when it names none. */
export function signInAsk(data: unknown): JsonObject | undefined {
  const given = isJsonObject(data) ? data['elicitations'] : undefined;
  const elicitations = Array.isArray(given) ? given.filter(isJsonObject) : [];
  if (elicitations.length === 0) return undefined;
  const entries = elicitations.map(({ message, url }, index) => {
    const params = { mode: 'url', message, url };
    // The handler runs again and finds out by itself whether the person is done: nothing reads the answer by its key.
    return [`url-${index + 1}`, { method: 'elicitation/create', params }] as const;
  });
  return { resultType: 'input_required', inputRequests: Object.fromEntries(entries) };
}
