/** Promises that came where a value was due. */

/**
 * Tells whether `value` is a promise, the platform's own or another, and takes over its rejection if it is: nobody else
 * will, and an unhandled one would end the process.
 */
export function isUnwantedPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function')
    return false;
  value.then(
    () => undefined,
    () => undefined,
  );
  return true;
}
