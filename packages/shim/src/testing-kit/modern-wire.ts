/** The HTTP requests of a modern client, and what comes back (spec 2026-07-28: streamable-http, basic, `_meta`). */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { MODERN_REVISION } from '../core/revision.ts';

const NAMESPACE = 'io.modelcontextprotocol/';

export interface WireRequest {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  /** Headers that mirror arguments. */
  readonly paramHeaders: Readonly<Record<string, string>>;
}

/** The members of `_meta` that every request of such a client has. */
export function envelopeOf(capabilities: unknown, clientInfo: JsonObject): JsonObject {
  return {
    [`${NAMESPACE}protocolVersion`]: MODERN_REVISION,
    [`${NAMESPACE}clientCapabilities`]: capabilities,
    [`${NAMESPACE}clientInfo`]: clientInfo,
    [`${NAMESPACE}logLevel`]: 'debug',
  };
}

export function httpRequest({ id, method, params, meta, paramHeaders }: WireRequest): Request {
  const name = method === 'resources/read' ? params['uri'] : params['name'];
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN_REVISION,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': encodeHeader(name) } : {}),
    ...paramHeaders,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
  return new Request('http://localhost/mcp', { method: 'POST', headers, body });
}

/** The messages of a response: one of JSON, or those of a stream. */
export async function messagesOf(response: Response): Promise<readonly JsonObject[]> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text) as JsonObject];
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => JSON.parse(line.slice('data:'.length)) as JsonObject);
}

/** The headers that mirror the arguments which `inputSchema` annotates with `x-mcp-header`. */
export function paramHeadersOf(inputSchema: unknown, args: unknown): Record<string, string> {
  const properties = isJsonObject(inputSchema) ? inputSchema['properties'] : undefined;
  if (!isJsonObject(properties) || !isJsonObject(args)) return {};
  const headers: Record<string, string> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = args[name];
    const header = isJsonObject(property) ? property['x-mcp-header'] : undefined;
    if (value === undefined || value === null) continue;
    if (typeof header === 'string') headers[`mcp-param-${header}`] = encodeHeader(String(value));
    else Object.assign(headers, paramHeadersOf(property, value));
  }
  return headers;
}

// Spec, streamable-http: what no header can hold as it is goes as Base64 of its UTF-8.
function encodeHeader(value: string): string {
  const isPlain = /^[\x20-\x7e\t]*$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
