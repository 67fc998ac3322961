/** Connects a client of SDK v1 to a server of either era. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { DualEraError } from '../core/errors.ts';
import { type ConnectOptions, resolveConnectOptions } from './client-options.ts';
import { DualTransport } from './dual-transport.ts';
import { checkTarget, type Target } from './target.ts';

export interface Connected {
  /** What the server speaks. */
  readonly era: 'handshake' | 'modern';
}

/**
 * Connects `client` to the server at `target`, whichever era it speaks (spec: versioning). What a modern server says of
 * itself reaches the client as the result of its `initialize`; its asks are met by the handlers that the client has for
 * live questions, or are returned (option `inputRequired`). `client.close()` ends it all.
 *
 * @throws TypeError or RangeError for options and targets that are none.
 * @throws DualEraError `ALREADY_CONNECTED`; `NOT_MODERN` and `NOT_HANDSHAKE` where `mode` pins what the server does not
 * speak, `UNAUTHORIZED`, `CONNECT_FAILED`; the cause is what the transport threw.
 */
export async function connectDualEra(client: Client, target: Target, options?: ConnectOptions): Promise<Connected> {
  const resolved = resolveConnectOptions(options);
  checkTarget(target);
  if (client.transport !== undefined) {
    throw new DualEraError(
      'ALREADY_CONNECTED',
      'This client is connected: call client.close() before connectDualEra().',
    );
  }
  const transport = new DualTransport(target, resolved);
  await client.connect(transport);
  return { era: transport.modern === undefined ? 'handshake' : 'modern' };
}
