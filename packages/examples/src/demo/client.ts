/** What the demo needs of a client, whichever SDK it is on. */
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export type DemoEra = 'handshake' | 'modern';

export interface DemoClient {
  connect(transport: Transport): Promise<void>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

export function callerOf(client: ModernClient): DemoClient {
  return {
    connect: (transport) => client.connect(transport as Parameters<ModernClient['connect']>[0]),
    callTool: async (params) => withoutFrame(await client.callTool(params)),
    getPrompt: async (params) => withoutFrame(await client.getPrompt(params)),
    readResource: async (params) => withoutFrame(await client.readResource(params)),
    close: () => client.close(),
  };
}

/** Every modern result says which server it is from, and for how long it may be kept. The rest is the handler's. */
function withoutFrame(given: Record<string, unknown>): unknown {
  const { _meta, ttlMs: _ttlMs, cacheScope: _cacheScope, ...result } = given;
  const { 'io.modelcontextprotocol/serverInfo': _serverInfo, ...meta } = (_meta ?? {}) as Record<string, unknown>;
  return Object.keys(meta).length === 0 ? result : { ...result, _meta: meta };
}
