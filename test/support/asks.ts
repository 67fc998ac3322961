import type { Json } from './json.ts';

/** Asks and answers as they travel, for scripts. */

export const NAME_FORM: Json = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};

export function form(message = 'Your name?', requestedSchema: Json = NAME_FORM): Json {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

export function url(message = 'Sign in', address = 'https://mcp.example.com/connect'): Json {
  return { method: 'elicitation/create', params: { mode: 'url', message, url: address } };
}

export function sampling(text = 'Sum up'): Json {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 50 } };
}

export function samplingWithTools(): Json {
  const request = sampling();
  request['params'].tools = [{ name: 'look_up', inputSchema: { type: 'object' } }];
  return request;
}

export function roots(): Json {
  return { method: 'roots/list', params: {} };
}

export function ask(inputRequests: Json, requestState?: unknown): Json {
  return { resultType: 'input_required', inputRequests, ...(requestState === undefined ? {} : { requestState }) };
}

/** An ask without a question. */
export function stateOnly(requestState: unknown): Json {
  return { resultType: 'input_required', requestState };
}

export const ALL_CAPABILITIES: Json = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

export const ADA: Json = { action: 'accept', content: { name: 'Ada' } };
export const SAMPLED: Json = { role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } };
export const ROOTS: Json = { roots: [{ uri: 'file:///home/ada', name: 'home' }] };

/** What the script server told at the end of its script, out of any of the three results. */
export function told(answer: Json): Json {
  const result = answer['result'] as Json;
  const text = result['content']?.[0]?.text ?? result['messages']?.[0]?.content.text ?? result['contents']?.[0]?.text;
  return JSON.parse(text as string) as Json;
}

/** The outcome of a refused call: in `_meta` of a tool result, in `data` of an error. */
export function outcomeOf(answer: Json): Json {
  return answer['result']?._meta?.['mcp-dual-era/outcome'] ?? answer['error']?.data;
}
