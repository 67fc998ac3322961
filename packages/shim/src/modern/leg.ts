/** What the parts of the leg to modern clients share. */
import type { Ports } from '../core/options.ts';
import type { Emitter } from '../handshake/emit.ts';
import type { ShimSettings } from '../handshake/settings.ts';
import type { CacheHints } from './cache-hints.ts';
import type { PushOptions } from './push-options.ts';

export interface ModernLeg {
  readonly settings: ShimSettings;
  readonly emitter: Emitter;
  readonly ports: Ports;
  /** What becomes of the requests that handlers make of their client in mid-body. */
  readonly push: PushOptions;
  readonly cacheHints: CacheHints | undefined;
  /** Called when something has been sealed with a key that no other process has. */
  readonly onEphemeralSeal: () => void;
}
