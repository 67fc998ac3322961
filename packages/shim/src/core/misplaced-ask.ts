/** Asks that a handler returned in a way that nobody would put: as a result they would read as success. */
import { isEmbeddedMethod } from './embedded-request.ts';
import { isInputRequiredResult } from './input-required.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** What is wrong with `result`; undefined for a result. */
export function misplacedAsk(result: JsonObject): string | undefined {
  const { ask, method, params } = result;
  if (isJsonObject(ask) && isInputRequiredResult(ask)) {
    return 'the handler returned all that confirm gives it: return its `ask` if there is one, else go by its decision';
  }
  if (isEmbeddedMethod(method) && isJsonObject(params)) {
    return 'the handler returned a question by itself: return inputRequired({ inputRequests: { key: question } })';
  }
  return undefined;
}
