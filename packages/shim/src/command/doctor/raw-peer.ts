/** A client of no SDK: sends single requests that a good client never would, and tells what came back. */
import { isJsonObject, type JsonObject, ownMember } from '../../core/json.ts';
import { MODERN_REVISION } from '../../core/revision.ts';
import type { Habits } from './habits.ts';
import { exchange } from './raw-http.ts';
import { StdioLink } from './stdio-link.ts';
import { type HttpTarget, type Look, type StdioTarget, step } from './step.ts';

export interface RawAnswer {
  /** Over HTTP. */
  readonly status?: number;
  readonly type?: string;
  /** Of a redirect, which is not followed. */
  readonly location?: string;
  readonly hasSession?: boolean;
  readonly result?: JsonObject;
  readonly error?: { readonly code: unknown; readonly message: unknown; readonly data: unknown };
}

export interface RawPeer {
  /** @throws when there is no answer, or none in time. */
  ask(method: string, params: JsonObject, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  /** Never rejects. */
  notify(method: string): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

const CLIENT = { name: 'mcp-dual-era-doctor', version: '1' };
const PREFIX = 'io.modelcontextprotocol/';

/** The params of a request that claims `revision` (spec 2026-07-28: basic, _meta). */
export function claiming(params: JsonObject, revision: string = MODERN_REVISION): JsonObject {
  const claim = {
    [`${PREFIX}protocolVersion`]: revision,
    [`${PREFIX}clientCapabilities`]: {},
    [`${PREFIX}clientInfo`]: CLIENT,
  };
  return { ...params, _meta: claim };
}

export function initializeParams(revision: string): JsonObject {
  return { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
}

export function openRawHttp(look: Look<HttpTarget>): RawPeer {
  let count = 0;
  let session: Readonly<Record<string, string>> = {};
  const sessions = new Set<string>();
  return {
    async ask(method, params, headers = {}) {
      count += 1;
      const message = { jsonrpc: '2.0', id: count, method, params };
      const sent = { ...session, ...claimHeaders(method, params), ...headers };
      const request = { method: 'POST', headers: sent, message } as const;
      const { status, type, location, sessionId, answer } = await exchange(look, request);
      if (sessionId !== undefined) {
        sessions.add(sessionId);
        session = { 'mcp-session-id': sessionId };
      }
      const result = answer?.['result'];
      if (method === 'initialize' && isJsonObject(result)) {
        session = { ...session, 'mcp-protocol-version': String(result['protocolVersion']) };
      }
      const where = location === undefined ? {} : { location };
      return { status, type, ...where, hasSession: sessionId !== undefined, ...answerOf(answer) };
    },
    async notify(method) {
      const request = { method: 'POST', headers: session, message: { jsonrpc: '2.0', method } } as const;
      await exchange(look, request).catch(() => undefined);
    },
    async close() {
      for (const id of sessions) {
        await exchange(look, { method: 'DELETE', headers: { 'mcp-session-id': id } }).catch(() => undefined);
      }
    },
  };
}

/** Spec 2026-07-28: streamable-http, headers that mirror the body. */
function claimHeaders(method: string, params: JsonObject): Record<string, string> {
  const meta = params['_meta'];
  const revision = isJsonObject(meta) ? ownMember(meta, `${PREFIX}protocolVersion`) : undefined;
  if (typeof revision !== 'string') return {};
  const { name } = params;
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

export async function openRawStdio(look: Look<StdioTarget>, habits: Habits): Promise<RawPeer> {
  const link = new StdioLink(look, habits);
  const waiting = new Map<unknown, (answer: JsonObject) => void>();
  let count = 0;
  let onEnd: () => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    onEnd = () => reject(new Error(link.endedHow ?? 'the process has ended'));
  });
  ended.catch(() => undefined);
  link.onclose = onEnd;
  link.onmessage = (message: JsonObject) => {
    if (!('method' in message)) waiting.get(message['id'])?.(message);
  };
  await link.start();
  return {
    ask: (method, params) =>
      step(look, async () => {
        count += 1;
        const id = count;
        const answer = new Promise<JsonObject>((resolve) => waiting.set(id, resolve));
        try {
          await link.send({ jsonrpc: '2.0', id, method, params }).catch(() => undefined);
          return answerOf(await Promise.race([answer, ended]));
        } finally {
          waiting.delete(id);
        }
      }),
    notify: (method) => link.send({ jsonrpc: '2.0', method }).catch(() => undefined),
    close: () => link.close(),
  };
}

function answerOf(answer: JsonObject | undefined): Pick<RawAnswer, 'result' | 'error'> {
  const { result, error } = answer ?? {};
  if (isJsonObject(error)) return { error: { code: error['code'], message: error['message'], data: error['data'] } };
  return isJsonObject(result) ? { result } : {};
}
