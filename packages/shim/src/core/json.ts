/** Small helpers for JSON values of unknown origin: nothing here trusts a prototype. */

/** A JSON object whose members are not known. */
export type JsonObject = Record<string, unknown>;

/** Tells whether `value` is an object that is neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member `key` of `object`, never one inherited from a prototype. */
export function ownMember(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets the own member `key` of `object`, also where a setter of that name is inherited, as `__proto__` is. */
export function defineMember(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A copy of a value out of JSON, however deep it is. */
export function copyJson<T>(value: T): T {
  const copies = new Map<object, object>();
  const pending: [JsonObject, JsonObject][] = [];
  // A list of what is to be filled in, rather than a call for each level: a hostile value would overflow the stack.
  const begin = (from: unknown): unknown => {
    if (!Array.isArray(from) && !isJsonObject(from)) return from;
    const known = copies.get(from);
    if (known !== undefined) return known;
    const to = Array.isArray(from) ? [] : {};
    copies.set(from, to);
    pending.push([from as JsonObject, to as JsonObject]);
    return to;
  };
  const copy = begin(value);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to] = next;
    for (const key of Object.keys(from)) {
      if (key === '__proto__') defineMember(to, key, begin(from[key]));
      else to[key] = begin(from[key]);
    }
  }
  return copy as T;
}

/** JSON is looked at to this many levels: a hostile one would overflow the stack. */
export const DEEPEST = 512;

/** Tells whether two JSON values are equal, whatever the order of their members. Not told beyond 512 levels: false. */
export function isSameJson(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((entry, index) => isSameJson(entry, right[index], depth + 1));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  // A member that is undefined does not exist on the wire, so it does not count here either.
  const leftKeys = Object.keys(left).filter((key) => left[key] !== undefined);
  const rightKeys = Object.keys(right).filter((key) => right[key] !== undefined);
  return (
    leftKeys.length === rightKeys.length &&
    leftKeys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key], depth + 1))
  );
}

/** Names a value for an error message: short, and never the whole of a large one. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

/** `object` without the members that are undefined. */
export function definedMembers<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
