/**
 * Runs `check`, whose error only says no: V8 does not record where it was thrown, which takes longer than all the rest of
 * it. Nothing of the author's may run in it, who needs his stacks.
 */
export function withoutStack(check: () => void): void {
  const { stackTraceLimit } = Error;
  // Not by assignment, which throws where the realm is frozen.
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    check();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  }
}
