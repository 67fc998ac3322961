/** What an error says, which for those of Node.js may be further in. */

/** `fetch failed` has why in its cause; one for several addresses says nothing, and has one error for each. */
export function messageOf(error: Error): string {
  const { message, cause } = error;
  if (error instanceof AggregateError && message === '') {
    const inner: unknown[] = error.errors;
    return inner.map((one) => (one instanceof Error ? one.message : String(one))).join(', ');
  }
  return message === 'fetch failed' && cause instanceof Error ? `${message}: ${messageOf(cause)}` : message;
}
