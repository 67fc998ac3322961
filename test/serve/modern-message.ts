import type { Json } from '../support/json.ts';
import { CAPABILITIES, modernMessage } from './malformed-request.ts';

export interface ModernSaid {
  readonly id?: string | number;
  /** What the client of this one request declares. */
  readonly capabilities?: Json;
  /** Further members of `_meta`. */
  readonly meta?: Json;
}

let lastId = 0;

/** A modern request as it travels, with an id of its own unless one is given. */
export function modern(method: string, params: Json = {}, { id, capabilities = {}, meta }: ModernSaid = {}): Json {
  lastId += 1;
  const message = { id: id ?? lastId };
  return modernMessage(method, params, { meta: { [CAPABILITIES]: capabilities, ...meta }, message });
}

export function callOf(name: string, args: Json = {}, said: ModernSaid = {}): Json {
  return modern('tools/call', { name, arguments: args }, said);
}

/** `request` again, with the answers of a person, and the state of the ask where it had one. */
export function retryOf(request: Json, asked: Json, inputResponses?: Json, said: ModernSaid = {}): Json {
  const { _meta, ...params } = request['params'] as Json;
  const { requestState } = asked['result'] as Json;
  const capabilities = said.capabilities ?? (_meta as Json)[CAPABILITIES];
  const retry = {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
  return modern(String(request['method']), { ...params, ...retry }, { ...said, capabilities });
}

export const textOf = (answer: Json): string => answer['result'].content[0].text as string;
