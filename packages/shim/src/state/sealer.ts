/** What is inside the envelope: a payload with its times, and with what it is bound to. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { describeValue } from '../core/json.ts';
import type { StateBinding } from '../core/request-state.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import type { ResolvedCodecOptions } from './codec-options.ts';
import { open, seal } from './envelope.ts';
import type { StateKey } from './keys.ts';
import type { OpenedState } from './openable.ts';
import { RequestStateError } from './request-state-error.ts';

/** As JSON. */
type Sealed = [payload: unknown, issuedAt: number, expiresAt: number, binding: string, id?: string];

/** What is sealed for one call and purpose does not open for another. */
export interface SealedFor {
  readonly call: StateBinding;
  /** Apart from all other purposes; undefined for the payload of a handler. */
  readonly purpose: string | undefined;
}

// Clocks of the machines that share a key may differ by so much.
const CLOCK_SKEW = 60_000;
// What a payload comes to with its times, its binding and its id, before base64, at most.
const OVERHEAD = 512;

export class Sealer {
  readonly #options: ResolvedCodecOptions;
  readonly #keys: () => readonly StateKey[];
  readonly #isEphemeral: boolean;

  constructor(options: ResolvedCodecOptions, keys: () => readonly StateKey[], isEphemeral: boolean) {
    this.#options = options;
    this.#keys = keys;
    this.#isEphemeral = isEphemeral;
  }

  /** @param json - the payload. */
  seal(json: string, to: SealedFor, isEncrypted: boolean): string {
    const { singleUse, ttl, now } = this.#options;
    const [key] = this.#keys() as [StateKey];
    const issuedAt = now();
    const id = singleUse === undefined ? [] : [randomUUID()];
    const expiresAt = Math.min(issuedAt + ttl, Number.MAX_SAFE_INTEGER);
    const rest = JSON.stringify([issuedAt, expiresAt, this.#tagOf(to, key), ...id]);
    return seal(`[${json},${rest.slice(1)}`, key, { isEncrypted, isEphemeral: this.#isEphemeral });
  }

  /**
   * @param most - the largest payload, in bytes.
   * @throws RequestStateError
   */
  open(state: unknown, to: SealedFor, most: number): OpenedState {
    const [text, key] = open(state, this.#keys(), Math.ceil(((most + OVERHEAD) * 4) / 3));
    const [payload, issuedAt, expiresAt, binding, id] = JSON.parse(text) as Sealed;
    const time = this.#options.now();
    if (expiresAt <= time) throw new RequestStateError('expired');
    if (issuedAt > time + CLOCK_SKEW) throw new RequestStateError('not-yet-valid');
    if (!this.#isBoundTo(to, key, binding)) throw new RequestStateError('wrong-binding');
    return { payload, id, expiresAt };
  }

  #isBoundTo(to: SealedFor, key: StateKey, binding: string): boolean {
    try {
      return timingSafeEqual(Buffer.from(binding), Buffer.from(this.#tagOf(to, key)));
    } catch {
      // A throw denies, and so does another length.
      return false;
    }
  }

  #tagOf({ call, purpose }: SealedFor, key: StateKey): string {
    const { audience = null, bind } = this.#options;
    const binding = 'binding' in call ? call.binding : bind(call);
    if (isUnwantedPromise(binding) || typeof binding !== 'string')
      throw new TypeError(`bind must return a string, got ${describeValue(binding)}`);
    // As a list, so that no text can pass for another pair.
    const bound = [audience, 'binding' in call, binding, ...(purpose === undefined ? [] : [purpose])];
    return createHmac('sha256', key.bind).update(JSON.stringify(bound)).digest('base64url');
  }
}
