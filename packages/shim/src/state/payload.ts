/** A payload as the JSON text that is sealed. */
import { describeValue } from '../core/json.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import { tooLarge } from './too-large.ts';

/** @throws TypeError when `payload` is no JSON value, RangeError when it has more than `maxBytes` bytes. */
export function payloadJson(payload: unknown, maxBytes: number): string {
  if (isUnwantedPromise(payload)) throw new TypeError('A requestState payload must be a JSON value, got a promise');
  const json = JSON.stringify(payload) as string | undefined;
  if (json === undefined || (typeof payload === 'number' && !Number.isFinite(payload))) {
    throw new TypeError(`A requestState payload must be a JSON value, got ${describeValue(payload)}`);
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) throw tooLarge(maxBytes, bytes);
  return json;
}
