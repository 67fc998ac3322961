/** A requestState with keys of the operator's own, bound, and used once. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  createRequestStateCodec,
  defaultBinding,
  inMemorySingleUseStore,
  inputContext,
  type RequestStateCodec,
  withInputRequiredShim,
} from 'mcp-dual-era';
import { type RedisClient, redisSingleUseStore } from 'mcp-dual-era/redis';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';

export function createServerWithKeys(keys: readonly string[]): McpServer {
  const server = new McpServer({ name: 'keys', version: '1.0.0' });
  // #region keys
  withInputRequiredShim(server, {
    requestState: { keys, ttlSeconds: 15 * 60, audience: 'billing', encrypt: true },
  });
  // #endregion keys
  addTransfer(server);
  return server;
}

// #region minted
function addTransfer(server: McpServer): void {
  const inputSchema = { from: z.string(), to: z.string() };
  server.registerTool('transfer', { inputSchema }, async ({ from, to }, extra) => {
    const ctx = inputContext(extra);
    const quoted = ctx.requestState<{ amount: number }>();
    const amount = quoted?.amount ?? 120;
    const { ask, decision } = ctx.confirm('transfer', { message: `Transfer ${amount} from ${from} to ${to}?` });
    if (ask !== undefined) return { ...ask, requestState: await ctx.mintRequestState({ amount }) };
    return textResult(decision === 'yes' ? `Transferred ${amount}.` : 'Nothing was transferred.');
  });
}
// #endregion minted

export function createOneServerCodec(keys: readonly string[]): RequestStateCodec {
  // #region single-use
  return createRequestStateCodec({ keys, singleUse: inMemorySingleUseStore() });
  // #endregion single-use
}

export function createSharedCodec(keys: readonly string[], client: RedisClient): RequestStateCodec {
  // #region redis
  return createRequestStateCodec({ keys, singleUse: redisSingleUseStore(client) });
  // #endregion redis
}

export function createTenantCodec(keys: readonly string[]): RequestStateCodec {
  // #region bind
  return createRequestStateCodec({
    keys,
    bind: (call) => JSON.stringify([call.authInfo?.extra?.['tenant'] ?? null, defaultBinding(call)]),
  });
  // #endregion bind
}
