/** A side effect that happens once in a call, however often its handler runs. */
import { type HandlerExtra, readRecord } from './input-context.ts';
import { describeValue } from './json.ts';

/**
 * Runs `fn` the first time in a call, and gives its result again in every later run of the handler, on both eras. The
 * result is what is left of it as JSON, the first time too. When `fn` throws or rejects, nothing is kept and it runs again.
 * Kept with the next question that goes out: when the process ends, or the client never comes back, between the effect and
 * that, nothing knows that it happened, so what must never happen twice needs a key of its own at the place where it
 * happens. On a server without a middleware, where no handler runs again, `fn` just runs.
 *
 * @param extra - the `extra` of the handler.
 * @param key - names the effect within its handler.
 * @throws TypeError when `key` is no text, or the result is no JSON value; what `fn` throws is passed on.
 */
export async function once<Result>(
  extra: HandlerExtra,
  key: string,
  fn: () => Result | Promise<Result>,
): Promise<Result> {
  if (typeof key !== 'string' || key === '') throw new TypeError(`once needs a key, got ${describeValue(key)}`);
  const { once: results } = readRecord(extra);
  if (results === undefined) return fn();
  const known = results.get(key);
  if (known !== undefined) return read<Result>(known);
  const blocked = results.blocked?.();
  if (blocked !== undefined) return blocked;
  const { running } = results;
  const started = running.get(key) ?? run(fn);
  running.set(key, started);
  try {
    const text = await started;
    results.set(key, text);
    return read<Result>(text);
  } finally {
    running.delete(key);
  }
}

async function run(fn: () => unknown): Promise<string> {
  const result = await fn();
  if (result === undefined) return NOTHING;
  const text = JSON.stringify(result) as string | undefined;
  if (text === undefined) throw new TypeError(`The result of once must be a JSON value, got ${describeValue(result)}`);
  return text;
}

/** No JSON text: an effect that gives nothing. */
const NOTHING = '';

function read<Result>(text: string): Result {
  return (text === NOTHING ? undefined : JSON.parse(text)) as Result;
}
