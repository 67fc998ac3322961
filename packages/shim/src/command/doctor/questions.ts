/** What is told of a question, and the answer to it: always a no. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Question } from './model.ts';
import type { Look } from './step.ts';

const MOST_FIELDS = 20;

export function questionOf(look: Look, round: number, method: string, params: JsonObject): Question {
  const { mode, message, requestedSchema, url } = params;
  const isUrl = mode === 'url';
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined;
  const fields = isJsonObject(properties) ? Object.keys(properties) : [];
  const kinds = new Map([
    ['elicitation/create', isUrl ? 'url' : 'form'],
    ['sampling/createMessage', 'sampling'],
    ['roots/list', 'roots'],
  ]);
  return {
    round,
    kind: kinds.get(method) ?? look.tell(method, 40),
    message: typeof message === 'string' ? look.tell(message) : '',
    fields: fields.slice(0, MOST_FIELDS).map((field) => look.tell(field, 40)),
    // The rest of it may be for the person alone.
    ...(isUrl
      ? { origin: typeof url === 'string' && URL.canParse(url) ? look.tell(new URL(url).origin, 100) : 'no URL' }
      : {}),
  };
}

/** Undefined for what only an error can refuse, as sampling. A client that declared roots has none, which it may say. */
export function refusalOf(method: string, isRooted: boolean): JsonObject | undefined {
  if (method === 'roots/list' && isRooted) return { roots: [] };
  return method === 'elicitation/create' ? { action: 'decline' } : undefined;
}
