/** The settings that an instance is served with: its own where the factory has wrapped it, else those of the entry. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createEmitter, warnOnce } from '../handshake/emit.ts';
import { settingsOfServer } from '../handshake/install.ts';
import { resolvePorts } from '../handshake/platform.ts';
import type { ShimSettings } from '../handshake/settings.ts';
import { ephemeralKeys } from '../state/codec.ts';
import type { CacheHints } from './cache-hints.ts';
import type { ModernLeg } from './leg.ts';
import { type PushOptions, pushOptions } from './push-options.ts';

const EPHEMERAL =
  'mcp-dual-era: a requestState was sealed with an ephemeral key, which no other process has and which ends with this ' +
  'one. Give inputRequired.requestState.keys (npx mcp-dual-era key) to a server that is started again, or more than once.';

export interface LegOptions {
  readonly push: Pick<PushOptions, 'calls' | 'suspend'>;
  readonly cacheHints: CacheHints | undefined;
  /** Whether an ephemeral key is worth a warning: not on stdio, where the client ends with the process. */
  readonly warnsOfKey: boolean;
}

export function createLegs(settings: ShimSettings, options: LegOptions): (server: McpServer | Server) => ModernLeg {
  const own = legOf(settings, options);
  // Of a server that is made for each request, the next one has to open what the last one sealed.
  const keys = ephemeralKeys();
  return (server) => {
    const given = settingsOfServer(server);
    if (given === undefined) return own;
    return legOf({ ...given, codec: given.rekey?.(keys) ?? given.codec }, options);
  };
}

function legOf(settings: ShimSettings, { push, cacheHints, warnsOfKey }: LegOptions): ModernLeg {
  const ports = resolvePorts(settings.ports);
  const { clock, warn } = ports;
  const emitter = createEmitter(settings.options.onEvent, warn);
  return {
    settings,
    ports,
    push: pushOptions(push, { clock, emitter }),
    emitter,
    cacheHints,
    onEphemeralSeal: () => {
      if (warnsOfKey) warnOnce('ephemeral-key', EPHEMERAL, warn);
    },
  };
}
