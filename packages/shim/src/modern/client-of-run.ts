/** What SDK v1 is told of a modern client, and what a handler reads of it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { cleanCapabilities } from '../core/capabilities.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModernClient } from './modern-request.ts';
import { replaceMethod } from './replace-method.ts';

/** The capabilities of `client` without tasks, which are no part of the modern revision. */
export function handshakeCapabilities({ capabilities }: ModernClient): JsonObject {
  const { tasks: _tasks, ...others } = cleanCapabilities(capabilities);
  return others;
}

/**
 * Has `protocol`, which knows one client, tell each of several runs of its own: `current` is the client of the run that
 * asks. The returned function undoes it.
 */
export function readClientOfRun(protocol: Server, current: () => ModernClient | undefined): () => void {
  const { getClientCapabilities, getClientVersion } = protocol;
  const restores = [
    replaceMethod(protocol, 'getClientCapabilities', () => {
      const client = current();
      return client === undefined ? getClientCapabilities.call(protocol) : handshakeCapabilities(client);
    }),
    replaceMethod(protocol, 'getClientVersion', () => current()?.info ?? getClientVersion.call(protocol)),
  ];
  return () => {
    for (const restore of restores) restore();
  };
}
