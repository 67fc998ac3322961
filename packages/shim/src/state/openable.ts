/** What a codec of ours can do beyond its interface, for the middleware. */
import { isJsonObject } from '../core/json.ts';
import type { RequestStateCodec, SingleUseStore, StateBinding } from '../core/request-state.ts';
import { RequestStateError } from './request-state-error.ts';

/** A state that was opened. */
export interface OpenedState {
  readonly payload: unknown;
  /** For a single-use store; undefined when the state was minted without one. */
  readonly id: string | undefined;
  readonly expiresAt: number;
}

/** Symbol.for, so that the ESM build opens the states of a codec that the CJS build made. */
export const OPENABLE: unique symbol = Symbol.for('mcp-dual-era.codec.1');

/** What a codec of ours can do beyond what its interface says. */
export interface Openable {
  readonly maxBytes: number;
  /** Whether its key is one that no other process has. */
  readonly isEphemeral: boolean;
  /** The codec's own, to tell it from one that was made of it. */
  readonly verify: RequestStateCodec['verify'];
  /** Opens a state without using it up. @throws RequestStateError */
  open(state: unknown, call: StateBinding): OpenedState;
  /**
   * Seals what the middleware sends with an ask. It can be opened by `openAsk` alone, and `openAsk` opens nothing else, so
   * that no payload of a handler's passes for it.
   *
   * @throws RangeError when it is larger than a payload may be, with room for the middleware's own record.
   */
  sealAsk(payload: unknown, call: StateBinding, isEncrypted: boolean): string;
  /** Opens what `sealAsk` sealed, and uses it up where states are used once. Rejects with RequestStateError. */
  openAsk(state: unknown, call: StateBinding): Promise<unknown>;
}

export interface OpenableCodec extends RequestStateCodec {
  readonly [OPENABLE]: Openable;
}

/** What `codec` can do beyond its interface; undefined when it is one of the user's own. */
export function openableOf(codec: RequestStateCodec): Openable | undefined {
  const openable = OPENABLE in codec ? (codec as OpenableCodec)[OPENABLE] : undefined;
  return openable?.verify === codec.verify ? openable : undefined;
}

/**
 * The payload of a state that is not used up by it. A codec of the user's own knows only how to verify.
 *
 * @throws what the codec throws for a state that it did not mint for `call`.
 */
export async function openState(codec: RequestStateCodec, state: unknown, call: StateBinding): Promise<unknown> {
  const openable = openableOf(codec);
  if (openable !== undefined) return openable.open(state, call).payload;
  const payload = await codec.verify(state, call);
  // What the author minted with the codec itself comes as it is.
  return isMarked(payload) ? payload[VALUE] : payload;
}

// A codec of the user's own seals whatever it is given, so that a payload has to say what it is: without this mark, a
// client that has a text of its own minted could have the middleware's record minted.
const VALUE = 'mcp-dual-era/value';

/** Seals a payload of a handler's. @throws what the codec throws. */
export function mintValue(codec: RequestStateCodec, payload: unknown, call: StateBinding): string | Promise<string> {
  return openableOf(codec) === undefined ? codec.mint({ [VALUE]: payload }, call) : codec.mint(payload, call);
}

function isMarked(payload: unknown): payload is { readonly [VALUE]: unknown } {
  return isJsonObject(payload) && Object.keys(payload).length === 1 && Object.hasOwn(payload, VALUE);
}

/**
 * Uses `opened` up.
 *
 * @throws RequestStateError when it was used before, when it cannot be told from others, or when the store fails.
 */
export async function consume({ id, expiresAt }: OpenedState, store: SingleUseStore): Promise<void> {
  if (id === undefined) throw new RequestStateError('used');
  let isFirst: unknown;
  try {
    isFirst = await store.consume(id, expiresAt);
  } catch {
    throw new RequestStateError('store-failed');
  }
  if (isFirst !== true) throw new RequestStateError('used');
}
