import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../support/json.ts';

export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An HTTP request as it goes out: nothing is added but Host, Connection and the framing of the body. */
export interface RawRequest {
  readonly method: string;
  /** A header with several values is sent as often; one that is undefined is not sent. */
  readonly headers: HeaderValues;
  /** Several chunks are sent one by one, once the server has taken the request up. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Leaves the body unfinished until the answer is there. */
  readonly isUnfinished?: boolean;
  /** Opens a session of the handshake era first, and sends its id along if the server gives one. */
  readonly isInSession?: boolean;
}

/** Sends `raw` and tells the answer in one line, such as `400 json error -32600 id 1`. */
export async function tellAnswer(url: URL, raw: RawRequest): Promise<string> {
  const session = raw.isInSession ? await openSession(url) : {};
  const response = await send(url, { ...raw, headers: { ...raw.headers, ...session } });
  const answer = await describeResponse(response, raw.method);
  response.destroy();
  return answer;
}

async function send(url: URL, { method, headers, body = [], isUnfinished }: RawRequest): Promise<IncomingMessage> {
  const chunks = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined) as [string, string | string[]][];
  const signal = AbortSignal.timeout(10_000);
  const request = openRequest(url, { method, headers: Object.fromEntries(sent), agent: false, signal });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  try {
    await writeBody(request, chunks);
    if (!isUnfinished) request.end();
    const [response] = await answered;
    return response;
  } finally {
    // Whatever becomes of a body that the server did not want, the answer is there.
    request.on('error', () => undefined);
  }
}

async function writeBody(request: ClientRequest, chunks: readonly (string | Uint8Array)[]): Promise<void> {
  if (chunks.length < 2) {
    request.flushHeaders();
    for (const chunk of chunks) request.write(chunk);
    return;
  }
  request.setHeader('expect', '100-continue');
  request.setNoDelay(true);
  request.flushHeaders();
  await once(request, 'continue');
  for (const chunk of chunks) {
    await new Promise<void>((resolve) => request.write(chunk, () => resolve()));
    await nextTurn();
  }
}

const JSON_TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function openSession(url: URL): Promise<HeaderValues> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const post = async (message: Json, headers: HeaderValues): Promise<IncomingMessage> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await send(url, { method: 'POST', headers: { ...JSON_TYPES, ...headers }, body });
    await readText(response);
    return response;
  };
  const { headers } = await post({ id: 'open', method: 'initialize', params }, {});
  const id = headers['mcp-session-id'];
  const session = id === undefined ? {} : { 'mcp-session-id': id };
  await post({ method: 'notifications/initialized' }, session);
  return session;
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

async function describeResponse(response: IncomingMessage, method: string): Promise<string> {
  const type = response.headers['content-type']?.split(';')[0];
  if (type === 'text/event-stream') {
    const message = method === 'GET' ? undefined : await readFirstEvent(response);
    return `${response.statusCode} sse ${message === undefined ? 'open' : describeMessage(message)}`;
  }
  const text = await readText(response);
  if (type !== 'application/json') return `${response.statusCode} ${type ?? (text === '' ? 'empty' : 'no type')}`;
  return `${response.statusCode} json ${text === '' ? 'empty' : describeMessage(JSON.parse(text))}`;
}

/** The first message of an event stream, which may well stay open after it. */
async function readFirstEvent(response: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    const data = /^data: (.+)\n\n/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  return undefined;
}

function describeMessage(message: unknown): string {
  if (Array.isArray(message)) return `[${message.map(describeMessage).join(', ')}]`;
  const { id } = message as Json;
  const kind = describeKind(message as Json);
  return id === undefined ? kind : `${kind} id ${JSON.stringify(id).slice(0, 20)}`;
}

function describeKind({ method, result, error }: Json): string {
  if (method !== undefined) return method;
  if (error !== undefined) return `error ${error.code}`;
  if (result.isError) return 'isError';
  return result.resultType === 'input_required' ? 'ask' : 'result';
}
