/** The options of both serving functions, resolved once and loudly. */
import type { Holds } from '../core/holds.ts';
import { callback, knownOptions, object, oneOf } from '../core/option-checks.ts';
import type { Era } from '../core/revision.ts';
import { createHolds } from '../handshake/holds.ts';
import { resolvePorts } from '../handshake/platform.ts';
import { type ShimSettings, settingsOf } from '../handshake/settings.ts';
import { checkCacheHints } from '../modern/cache-hints.ts';
import type { LegOptions } from '../modern/legs.ts';
import { reportersOf, type WarnUnheard } from './reporters.ts';
import type { ServeOptions } from './serve-options.ts';

const OPTIONS = ['inputRequired', 'eras', 'pushCalls', 'suspend', 'cacheHints', 'onerror'];

/** Calls that may be held, and may wait to be, where the options do not say. */
const DEFAULT_HOLDS = { max: 1_000, queue: 100 };

export interface ResolvedServeOptions {
  readonly eras: 'both' | Era;
  /** The settings of both legs, for servers that the factory did not wrap itself. */
  readonly settings: ShimSettings;
  readonly hasShim: boolean;
  /** The places for held calls, of servers that have none of their own. */
  readonly holds: Holds;
  /** Whether they are the entry's, and of nobody else. */
  readonly hasOwnHolds: boolean;
  /** What modern clients meet. */
  readonly leg: Pick<LegOptions, 'push' | 'cacheHints'>;
  readonly onError: (error: Error) => void;
  readonly warnUnheard: WarnUnheard;
}

/** @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`. */
export function resolveServeOptions(options: ServeOptions = {}, more: readonly string[] = []): ResolvedServeOptions {
  object('options', options);
  knownOptions('options', options, [...OPTIONS, ...more]);
  const { inputRequired, eras = 'both', pushCalls = 'reject', suspend = 'reject', cacheHints } = options;
  if (cacheHints !== undefined) checkCacheHints(cacheHints);
  const onerror = callback('onerror', options.onerror);
  const settings = settingsOf(inputRequired === false ? undefined : inputRequired, true);
  return {
    eras: oneOf('eras', eras, ['both', 'handshake', 'modern']),
    settings,
    hasShim: inputRequired !== false,
    hasOwnHolds: settings.options.holds === undefined,
    holds: settings.options.holds ?? createHolds({ ...DEFAULT_HOLDS, ports: settings.ports }),
    leg: {
      push: {
        calls: oneOf('pushCalls', pushCalls, ['reject', 'replay']),
        suspend: oneOf('suspend', suspend, ['reject', 'pending']),
      },
      cacheHints,
    },
    ...reportersOf(onerror, resolvePorts(settings.ports).warn),
  };
}
