/** A state on the handshake leg: it stays in the process, unless its author seals it by hand. */
import { checkState } from '../core/check-ask.ts';
import type { StateCall } from '../core/request-state.ts';
import { openState } from '../state/codec.ts';
import type { Call } from './call.ts';
import type { Session } from './session.ts';

const NOT_MINTED =
  'requestState is a string that was not minted for this call: return what inputContext(extra).mintRequestState gave, ' +
  'or the value itself';

/** Seals `payload` for `call`. */
export function mintState({ codec }: Session, call: Call, payload: unknown): string | Promise<string> {
  return codec.mint(payload, stateCallOf(call));
}

/** The JSON text of what `sealed` holds, or the mistake of the author who returned it. */
export async function unsealState(
  { codec, options }: Session,
  call: Call,
  sealed: string,
): Promise<string | { readonly mistake: string }> {
  let payload: unknown;
  try {
    payload = await openState(codec, sealed, stateCallOf(call));
  } catch {
    return { mistake: NOT_MINTED };
  }
  return checkState(payload, options.maxStateBytes) ?? 'null';
}

function stateCallOf({ request, extra }: Call): StateCall {
  const { method, params } = request;
  return { method, params, authInfo: extra?.authInfo, requestInfo: extra?.requestInfo };
}
