/** Replaces a public method of one instance; the returned function gives it its own back. */
export function replaceMethod(instance: object, name: string, method: (...args: never[]) => unknown): () => void {
  // The author's own, who knows what they do.
  if (Object.hasOwn(instance, name)) return () => undefined;
  Object.defineProperty(instance, name, { value: method, configurable: true, writable: true });
  return () => void Reflect.deleteProperty(instance, name);
}
