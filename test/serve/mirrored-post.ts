import type { Json } from '../support/json.ts';
import { mirrorHeaders } from './play-vector.ts';

/** `message` as an HTTP request, with the headers that mirror it, and others in their place or beside them. */
export function mirroredPost(message: Json, headers: Json): Request {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...mirrorHeaders(message),
      ...headers,
    },
    body: JSON.stringify(message),
  });
}
