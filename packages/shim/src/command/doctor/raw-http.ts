/** One HTTP exchange without a client: any header may be set, Host too, and no more is read than the answer needs. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { type HttpTarget, type Look, step } from './step.ts';

const MOST_BYTES = 1024 * 1024;

export interface Exchange {
  readonly status: number;
  /** The media type, without parameters. */
  readonly type: string;
  readonly sessionId?: string;
  /** Of a redirect, which is not followed. */
  readonly location?: string;
  /** The JSON-RPC answer in the body, or in its stream of events. */
  readonly answer?: JsonObject;
}

export interface RawRequest {
  readonly method: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly message?: JsonObject;
}

/** @throws when there is no answer, or none in time. */
export async function exchange(look: Look<HttpTarget>, { method, headers, message }: RawRequest): Promise<Exchange> {
  const { url, headers: own } = look.target;
  const body = message === undefined ? undefined : JSON.stringify(message);
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    agent: false,
    // Otherwise the certificate would be that of the Host header.
    ...(url.protocol === 'https:' && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
      ? { servername: url.hostname }
      : {}),
    headers: {
      ...Object.fromEntries(own),
      accept: 'application/json, text/event-stream',
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  try {
    return await step(look, async () => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
        request.end(body);
      });
      const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      const answer = await readAnswer(response, type === 'text/event-stream', message?.['id']);
      const sessionId = response.headers['mcp-session-id'];
      const { location } = response.headers;
      return {
        status: response.statusCode ?? 0,
        type,
        ...(location === undefined ? {} : { location }),
        ...(typeof sessionId === 'string' ? { sessionId } : {}),
        ...(answer === undefined ? {} : { answer }),
      };
    });
  } finally {
    request.destroy();
  }
}

async function readAnswer(response: IncomingMessage, isStream: boolean, id: unknown): Promise<JsonObject | undefined> {
  let text = '';
  // Of one that is cut off once its answer is there.
  response.on('error', () => undefined);
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += String(chunk);
    // A stream may stay open after the answer.
    const answer = isStream ? answerIn(eventsOf(text), id) : undefined;
    if (answer !== undefined) return answer;
    if (text.length > MOST_BYTES) return undefined;
  }
  return answerIn(isStream ? eventsOf(text) : [text], id);
}

function eventsOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5))
        .join('\n'),
    );
}

/** An error may be about no id at all, where the server could not tell it. */
function answerIn(texts: readonly string[], id: unknown): JsonObject | undefined {
  for (const text of texts) {
    try {
      const message: unknown = JSON.parse(text);
      if (!isJsonObject(message) || 'method' in message) continue;
      if ('error' in message || ('result' in message && message['id'] === id)) return message;
    } catch {
      // Half of one, or none.
    }
  }
  return undefined;
}
