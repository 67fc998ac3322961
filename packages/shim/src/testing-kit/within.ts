/** Waits for code under test, but not for ever: in real time, since its own waits may be real. */

/** @throws Error that says what has not happened, when `promise` takes longer than `ms`. */
export async function within<Value>(
  promise: Promise<Value>,
  ms: number,
  what: string | (() => string),
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const missing = typeof what === 'string' ? what : what();
      reject(new Error(`${missing} within ${ms} ms (the timeout of the script)`));
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
