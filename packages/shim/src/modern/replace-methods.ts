/** Replaces public methods of one instance; the returned function gives it its own back. */
export function replaceMethods(instance: object, methods: Readonly<Record<string, unknown>>): () => void {
  // Those that the author has replaced stay: they know what they do.
  const names = Object.keys(methods).filter((name) => !Object.hasOwn(instance, name));
  for (const name of names) {
    Object.defineProperty(instance, name, { value: methods[name], configurable: true, writable: true });
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(instance, name);
  };
}
