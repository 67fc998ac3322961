import { inspect } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type DualEraEvent, inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Json } from '../support/json.ts';

const PAYLOAD = 'payload-nobody-else-may-see';
const SUBJECT = 'subject-nobody-else-may-see';
const KEY = 'key-that-nobody-else-may-ever-see-in-any-place';

/** Each secret as it is, and as it would look in the usual encodings, without its end. */
const SECRETS = [PAYLOAD, SUBJECT, KEY].flatMap((secret) => [
  secret,
  ...(['base64url', 'base64', 'hex'] as const).map((encoding) => Buffer.from(secret).toString(encoding).slice(0, 24)),
]);

let said: unknown[] = [];
const onWarning = (warning: Error): void => void said.push(warning);

beforeEach(() => {
  said = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => said.push(String(chunk)) > 0);
  }
  process.on('warning', onWarning);
});

afterEach(() => {
  process.off('warning', onWarning);
  vi.restoreAllMocks();
});

function requestOf(params: Json): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const name = String(params['name']);
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } }),
  });
}

describe('[Q3c] an abusive run on the modern leg', () => {
  it('tells nothing of the payload, the subject or the key, to the client or to the operator', async () => {
    const events: DualEraEvent[] = [];
    const errors: Error[] = [];
    let isBroken = false;
    const handler = createMcpHandler(
      () => {
        const server = new McpServer({ name: 'secrets', version: '1' });
        const question = {
          who: inputRequired.elicit({ message: 'Name?', requestedSchema: z.object({ a: z.string() }) }),
        };
        for (const name of ['ask', 'other', 'huge']) {
          server.registerTool(name, { inputSchema: { to: z.string().optional() } }, (_args, extra) => {
            if (inputContext(extra).requestState() !== undefined) return { content: [{ type: 'text', text: 'done' }] };
            const requestState = name === 'huge' ? { PAYLOAD: PAYLOAD.repeat(9_000) } : { PAYLOAD };
            return inputRequired({ inputRequests: question, requestState });
          });
        }
        return server;
      },
      {
        onerror: (error) => void errors.push(error),
        inputRequired: {
          onEvent: (event) => void events.push(event),
          subject: ({ extra }) => {
            if (isBroken) throw new Error(`${PAYLOAD} ${SUBJECT}`);
            return String(extra?.['sub']);
          },
          requestState: {
            keys: KEY,
            encrypt: true,
            singleUse: { consume: () => Promise.reject(new Error(`${PAYLOAD} ${KEY}`)) },
          },
        },
      },
    );
    const authInfo = { token: 't', clientId: 'app', scopes: [], extra: { sub: SUBJECT } };
    const call = async (params: Json): Promise<Json> => {
      const response = await handler.fetch(requestOf(params), { authInfo });
      const text = await response.text();
      said.push(text, ...response.headers);
      return JSON.parse(text) as Json;
    };

    const first = await call({ name: 'ask' });
    const state: string = first['result'].requestState;
    expect(state).toMatch(/^v1\./);
    const inputResponses = { who: { action: 'accept', content: { a: 'Ada' } } };
    const altered = `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`;
    for (const requestState of [state, altered, '', 'v1.', null, 7, state.slice(0, 40), 'x'.repeat(300_000)]) {
      expect((await call({ name: 'ask', inputResponses, requestState }))['error'].code).toBe(-32602);
    }
    for (const params of [{ name: 'other' }, { name: 'ask', arguments: { to: 'me' } }]) {
      expect((await call({ ...params, inputResponses, requestState: state }))['error'].code).toBe(-32602);
    }
    expect((await call({ name: 'huge' }))['error'].code).toBe(-32603);
    isBroken = true;
    expect((await call({ name: 'ask' }))['error'].code).toBe(-32000);
    await handler.close();
    await new Promise((resolve) => setImmediate(resolve));

    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['state-refused', 'error']));
    for (const one of [...said, ...events, ...errors]) {
      const texts = [inspect(one, { depth: 10, showHidden: true }), String(one), JSON.stringify(one) ?? ''];
      for (const text of texts) for (const secret of SECRETS) expect(text).not.toContain(secret);
    }
  });
});
