/** A payload that is larger than a codec takes. */
export class TooLargeError extends RangeError {
  override readonly name: string = 'RangeError';

  constructor(most: number, bytes: number) {
    super(`A requestState payload must have at most ${most} bytes as JSON, got ${bytes}`);
  }
}
