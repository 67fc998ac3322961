import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type DualEraEvent, inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mirroredPost } from '../serve/mirrored-post.ts';
import { modern } from '../serve/modern-message.ts';
import type { Json } from '../support/json.ts';
import { expectNone, inEveryEncoding, listenToProcess } from './secrets.ts';

const PAYLOAD = 'payload-nobody-else-may-see';
const SUBJECT = 'subject-nobody-else-may-see';
const KEY = 'key-that-nobody-else-may-ever-see-in-any-place';

const SECRETS = inEveryEncoding([PAYLOAD, SUBJECT, KEY]);

const { said } = listenToProcess();

function requestOf(params: Json): Request {
  return mirroredPost(modern('tools/call', params, { capabilities: { elicitation: {} } }), {});
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
    expectNone(SECRETS, [...said, ...events, ...errors]);
  });
});
