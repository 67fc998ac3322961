/** How the shim is to treat asks, from the options of a server or a transport. */
import { type InputRequiredOptions, isCodec, type ResolvedOptions, resolveOptions } from '../core/options.ts';
import type { RequestStateCodec } from '../core/request-state.ts';
import { createMiddlewareCodec } from '../state/codec.ts';
import type { StateKey } from '../state/keys.ts';
import { openableOf } from '../state/openable.ts';
import { warnOnce } from './emit.ts';
import { coreOf } from './holds.ts';
import { resolvePorts } from './platform.ts';

/** Resolved options, and whether to fulfil asks or only to check and refuse them. */
export interface ShimSettings {
  readonly options: ResolvedOptions;
  readonly ports: InputRequiredOptions['ports'];
  readonly isFulfilling: boolean;
  readonly codec: RequestStateCodec;
  /** The same codec with other keys in place of its ephemeral one; undefined where it has keys, or is the user's own. */
  readonly rekey: ((keys: () => readonly StateKey[]) => RequestStateCodec) | undefined;
}

/**
 * Checks `options`, and warns of a round time-out that looks like seconds.
 *
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds.
 */
export function settingsOf(options: InputRequiredOptions | undefined, isFulfilling: boolean): ShimSettings {
  const resolved = resolveOptions(options);
  const ports = options?.ports;
  if (resolved.roundTimeout < 1_000) {
    const message =
      `mcp-dual-era: roundTimeout is ${resolved.roundTimeout} ms, less than a person needs to answer. ` +
      'Other SDKs count it in seconds.';
    warnOnce('roundTimeout', message, resolvePorts(ports).warn);
  }
  // Before a transport is there: a wrong one is told of where it was given.
  coreOf(resolved.holds);
  const { codec, rekey } = codecOf(options);
  // One of ours knows how much it seals.
  const maxStateBytes = openableOf(codec)?.maxBytes ?? resolved.maxStateBytes;
  return { options: { ...resolved, maxStateBytes }, ports, isFulfilling, codec, rekey };
}

function codecOf({ requestState = {}, subject }: InputRequiredOptions = {}): Pick<ShimSettings, 'codec' | 'rekey'> {
  if (isCodec(requestState)) return { codec: requestState, rekey: undefined };
  const options = { ...requestState, subject: requestState.subject ?? subject };
  const codec = createMiddlewareCodec(options);
  const isEphemeral = openableOf(codec)?.isEphemeral === true;
  return { codec, rekey: isEphemeral ? (keys) => createMiddlewareCodec(options, keys) : undefined };
}
