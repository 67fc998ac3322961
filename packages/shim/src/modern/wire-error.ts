/** An error that goes to the client as it is: a numeric code, fixed wording, and nothing secret. */
export class WireError extends Error {
  override readonly name: string = 'WireError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
