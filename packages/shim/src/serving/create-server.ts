/** Has the factory make a server, and puts the shim on it where it belongs. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { asError } from '../core/errors.ts';
import { wrongType } from '../core/option-checks.ts';
import { ensureShim, requireFree } from '../handshake/install.ts';
import type { ResolvedServeOptions } from './resolve-serve-options.ts';
import type { ServeContext, ServerFactory } from './serve-options.ts';

/**
 * @throws what the factory throws, and DualEraError `NOT_A_SERVER` or `ALREADY_CONNECTED` for a server that cannot be
 * served.
 */
export async function createServer(
  factory: ServerFactory,
  context: ServeContext,
  { hasShim, settings, warnUnheard }: ResolvedServeOptions,
): Promise<McpServer | Server> {
  try {
    const server = await factory(context);
    requireFree(server);
    if (hasShim && context.era === 'handshake') ensureShim(server, settings);
    return server;
  } catch (error) {
    // `onerror` hears of it from whoever answers the request.
    warnUnheard('factory', `the factory made no server: ${asError(error).message}`);
    throw error;
  }
}

/** @throws TypeError when `factory` is no function. */
export function requireFactory(factory: ServerFactory): ServerFactory {
  if (typeof factory === 'function') return factory;
  throw wrongType('factory', 'a function that makes a server', factory);
}
