import type { Json } from '../support/json.ts';
import type { HeaderValues, RawRequest } from './raw-http.ts';

/** A request that a server must cope with, and the answer in one line: see raw-http.ts. */
export interface Cell {
  readonly name: string;
  readonly send: RawRequest;
  readonly answer: string;
}

export const cell = (name: string, send: RawRequest, answer: string): Cell => ({ name, send, answer });

export const VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A POST of any body at all, with no header of MCP's own unless it is given. */
export function post(body: RawRequest['body'], headers: HeaderValues = {}): RawRequest {
  return { method: 'POST', headers: { ...TYPES, ...headers }, ...(body === undefined ? {} : { body }) };
}

export interface Changes {
  /** Members of `_meta` to set; undefined takes one out. */
  readonly meta?: object;
  /** Members of `params` to set, `_meta` included. */
  readonly params?: object;
  /** Members of the message to set. */
  readonly message?: object;
  readonly headers?: HeaderValues;
}

/** A request of the modern era, right in all but its changes. The headers mirror it as it was before them. */
export function call(method: string, params: object = {}, changes: Changes = {}): RawRequest {
  const { name, uri } = params as { name?: string; uri?: string };
  const mirrored = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name ?? uri };
  return post(modernBody(method, params, changes), { ...mirrored, ...changes.headers });
}

export function modernBody(method: string, params: object = {}, changes: Changes = {}): string {
  return JSON.stringify(modernMessage(method, params, changes));
}

export function modernMessage(method: string, params: object = {}, { meta, ...changes }: Changes = {}): Json {
  const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, ...meta };
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta, ...changes.params }, ...changes.message };
}

export const list = (changes: Changes = {}): RawRequest => call('tools/list', {}, changes);

export const echo = (changes: Changes = {}): RawRequest =>
  call('tools/call', { name: 'echo', arguments: { text: 'hi' } }, changes);

/** The call of a tool that asks, by a client that can be asked. */
export const ask = (params: object): RawRequest =>
  call('tools/call', { name: 'ask_name', arguments: {} }, { params, meta: { [CAPABILITIES]: { elicitation: {} } } });

/** A message of the handshake era, in a session. */
export function inSession(message: unknown, headers: HeaderValues = {}): RawRequest {
  return { ...post(typeof message === 'string' ? message : JSON.stringify(message), headers), isInSession: true };
}

export const MODERN_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

/** A request without a claim. */
export const plain = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
