/** A state on the handshake leg: it stays in the process, unless its author seals it by hand. */
import { checkState } from '../core/check-ask.ts';
import type { StateCall } from '../core/request-state.ts';
import { mintValue, openableOf, openState } from '../state/openable.ts';
import type { Call } from './call.ts';
import type { Session } from './session.ts';
import { withinRound } from './within-round.ts';

const NOT_MINTED =
  'requestState is a string that was not minted for this call: return what inputContext(extra).mintRequestState gave, ' +
  'or the value itself';

// The codec of the user's own may hold secrets in what it throws.
const NOT_OPENED =
  'requestState is a string that the codec option did not open for this call: it was not minted for it, ' +
  'or the codec failed or did not answer within roundTimeout';

/** Seals `payload` for `call`. */
export function mintState({ codec }: Session, call: Call, payload: unknown): string | Promise<string> {
  return mintValue(codec, payload, stateCallOf(call));
}

/**
 * The JSON text of what `sealed` holds, or the mistake of the author who returned it. A codec of the user's own may take
 * as long as a round, and is not waited for once `signal` aborts.
 */
export async function unsealState(
  by: Pick<Session, 'codec' | 'options' | 'ports'>,
  call: StateCall,
  { sealed, signal }: { readonly sealed: string; readonly signal: AbortSignal },
): Promise<string | { readonly mistake: string }> {
  let payload: unknown;
  try {
    payload = await withinRound(openState(by.codec, sealed, call), by, signal);
  } catch {
    return { mistake: openableOf(by.codec) === undefined ? NOT_OPENED : NOT_MINTED };
  }
  return checkState(payload, by.options.maxStateBytes) ?? 'null';
}

/** `call` as what a state is bound to. */
export function stateCallOf({ request, extra }: Call): StateCall {
  const { method, params } = request;
  return { method, params, authInfo: extra?.authInfo, requestInfo: extra?.requestInfo };
}
