/** The error for a payload that is larger than a codec takes, which the middleware tells from others. */
const errors = new WeakSet<object>();

export function tooLarge(most: number, bytes: number): RangeError {
  const error = new RangeError(`A requestState payload must have at most ${most} bytes as JSON, got ${bytes}`);
  errors.add(error);
  return error;
}

export function isTooLarge(error: unknown): error is RangeError {
  // False for what is no object.
  return errors.has(error as object);
}
