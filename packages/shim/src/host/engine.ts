/** The official v2 client that speaks to a modern server, in the name of the client of SDK v1. */
import { Client } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { MODERN_REVISION, NEWEST_HANDSHAKE_REVISION } from '../core/revision.ts';
import type { ResolvedConnectOptions } from './client-options.ts';

/** What the client that sent `initialize` declared, without tasks, which are no part of the modern revision. */
export function declaredBy({ capabilities }: JsonObject): JsonObject {
  const { tasks: _tasks, ...declared } = isJsonObject(capabilities) ? capabilities : {};
  return declared;
}

export function createEngine(
  { clientInfo }: JsonObject,
  declared: JsonObject,
  options: ResolvedConnectOptions,
): Client {
  return new Client(clientInfo as ConstructorParameters<typeof Client>[0], {
    capabilities: declared,
    versionNegotiation: {
      mode: options.mode === 'modern' ? { pin: MODERN_REVISION } : 'auto',
      probe: { timeoutMs: options.probeTimeout },
    },
    inputRequired: { autoFulfill: false },
  });
}

/** What the server said of itself, as the answer to an `initialize`. */
export function introductionOf(engine: Client): JsonObject {
  const instructions = engine.getInstructions();
  return {
    protocolVersion: NEWEST_HANDSHAKE_REVISION,
    capabilities: { ...engine.getServerCapabilities() },
    serverInfo: engine.getServerVersion() ?? { name: 'unknown', version: 'unknown' },
    ...(instructions === undefined ? {} : { instructions }),
  };
}
