/** What SDK v1 is told of a modern client, and what a handler reads of it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { cleanCapabilities } from '../core/capabilities.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModernClient } from './modern-request.ts';
import { replaceMethods } from './replace-methods.ts';

/** The capabilities of `client` without tasks, which are no part of the modern revision. */
export function handshakeCapabilities({ capabilities }: ModernClient): JsonObject {
  const { tasks: _tasks, ...others } = cleanCapabilities(capabilities);
  return others;
}

/** A client as SDK v1 tells its handlers of it. */
export interface SeenClient {
  readonly capabilities: ReturnType<Server['getClientCapabilities']>;
  readonly version: ReturnType<Server['getClientVersion']>;
}

export function seenClient(protocol: Server): SeenClient {
  return { capabilities: protocol.getClientCapabilities(), version: protocol.getClientVersion() };
}

/**
 * Has `protocol`, which knows one client, tell each of several runs of its own: `current` is the client of the run that
 * asks. The returned function undoes it.
 */
export function readClientOfRun(protocol: Server, current: () => SeenClient | undefined): () => void {
  const { getClientCapabilities, getClientVersion } = protocol;
  const of = (read: (client: SeenClient) => unknown, otherwise: () => unknown) => (): unknown => {
    const client = current();
    return client === undefined ? otherwise.call(protocol) : read(client);
  };
  return replaceMethods(protocol, {
    getClientCapabilities: of(({ capabilities }) => capabilities, getClientCapabilities),
    getClientVersion: of(({ version }) => version, getClientVersion),
  });
}
