import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { callTool } from 'mcp-dual-era/client';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenNode } from '../serve/node-server.ts';
import { connectHost } from './host.ts';
import { calls, serveScript } from './scripted-server.ts';

const WAIT = { name: 'wait', arguments: {} };
const RETURN = { options: { inputRequired: 'return' } } as const;

/** A client of a server whose tool never ends; `onCall` tells that it has begun. */
async function waiting(eras: 'handshake' | 'modern', onCall: () => void) {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'patient', version: '1' });
      server.registerTool('wait', {}, () => {
        onCall();
        return new Promise<never>(() => undefined);
      });
      return server;
    },
    { eras },
  );
  const { url, close } = await listenNode((request, response) => handler.node(request, response));
  onTestFinished(async () => {
    await handler.close();
    await close();
  });
  return connectHost(url, RETURN);
}

describe.each(['handshake', 'modern'] as const)('a call of callTool whose signal is aborted, on a %s server', (era) => {
  it('rejects with -32001 and the reason, as SDK v1 has it', async () => {
    const abort = new AbortController();
    const { client } = await waiting(era, () => abort.abort(new Error('Enough')));
    const error = await callTool(client, WAIT, { signal: abort.signal }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32001, message: expect.stringMatching(/Error: Enough$/), data: undefined });
  });

  it('rejects with the reason itself where nothing was sent', async () => {
    const reason = new Error('Never mind');
    const { client } = await waiting(era, () => expect.unreachable());
    await expect(callTool(client, WAIT, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('an error of callTool, on a modern server', () => {
  it('has what the engine threw as its cause', async () => {
    const server = await serveScript(calls({ error: { code: -32602, message: 'No such tool' }, status: 200 }));
    const { client } = await connectHost(server.url, RETURN);
    const error = await callTool(client, WAIT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'RpcError', code: -32602, cause: { name: 'ProtocolError', code: -32602 } });
  });
});
