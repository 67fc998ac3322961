import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { type DualEraEvent, type InputRequiredOptions, withInputRequiredShim } from 'mcp-dual-era';
import { onTestFinished } from 'vitest';
import { type Connectable, connectMemory } from './connect-memory.ts';
import { authOf } from './open.ts';
import { type HandshakeParams, Peer } from './peer.ts';
import { type SdkName, sdkNamed } from './sdk.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export type Handler = (extra: Extra) => CallToolResult | Promise<CallToolResult>;

/** A server with one tool, `tool`, that takes nothing. Its events go to `events`, unless the options have a hook. */
export function toolServer(handler: Handler, options: InputRequiredOptions = {}, sdk: SdkName = 'newest') {
  const { McpServer } = sdkNamed(sdk);
  const events: DualEraEvent[] = [];
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool('tool', {}, handler);
  withInputRequiredShim(server, { onEvent: (event) => events.push(event), ...options });
  return { server, events };
}

/**
 * Connects a server to a scripted peer in memory, with the handshake done; closed when the test is over. As over HTTP,
 * the header `x-test-caller` says who sends a message.
 */
export async function connectPeer(
  server: Connectable,
  handshake: HandshakeParams = {},
  sdk: SdkName = 'newest',
): Promise<Peer> {
  const { peer: plain, near, close } = await connectMemory(server, sdk);
  onTestFinished(close);
  const send = async (message: unknown, headers: Record<string, string> = {}): Promise<number> => {
    const { auth } = authOf(headers);
    await near.send(structuredClone(message) as never, auth === undefined ? {} : { authInfo: auth });
    return 0;
  };
  const peer = new Peer({ send, close: () => near.close() }, plain.inbox);
  await peer.handshake(handshake);
  return peer;
}

/** What a handler says at its end. */
export function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
