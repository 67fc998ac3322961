import type { Json } from '../support/json.ts';

/** What the vectors' `format` section says of `send` and `expect`, as code. */

export type Bindings = Map<string, unknown>;

/** Where `actual` is not what `expected` asks for; undefined when it matches. Binds what `expected` says to bind. */
export function findMismatch(expected: unknown, actual: unknown, bindings: Bindings, path = '$'): string | undefined {
  if (path.endsWith('.error.message')) return undefined;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return `${path}: ${JSON.stringify(actual)}`;
    return firstOf(expected.keys(), (index) =>
      findMismatch(expected[index], actual[index], bindings, `${path}[${index}]`),
    );
  }
  if (typeof expected !== 'object' || expected === null) {
    return expected === actual ? undefined : `${path}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`;
  }
  const matcher = Object.keys(expected).find((key) => key.startsWith('$'));
  if (matcher !== undefined) {
    const isMatched = matches(matcher, (expected as Json)[matcher], { actual, bindings });
    return isMatched ? undefined : `${path}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`;
  }
  if (typeof actual !== 'object' || actual === null) return `${path}: ${JSON.stringify(actual)} is no object`;
  return firstOf(Object.keys(expected), (key) =>
    findMismatch((expected as Json)[key], (actual as Json)[key], bindings, `${path}.${key}`),
  );
}

function matches(matcher: string, operand: unknown, { actual, bindings }: { actual: unknown; bindings: Bindings }) {
  switch (matcher) {
    case '$any':
      return operand === true ? actual !== undefined : typeName(actual) === operand;
    case '$absent':
      return actual === undefined;
    case '$oneOf':
      return (operand as unknown[]).includes(actual);
    case '$contains':
      return Array.isArray(actual) && actual.includes(operand);
    case '$bind':
      bindings.set(operand as string, actual);
      return actual !== undefined;
    case '$ref':
      return bindings.has(operand as string) && bindings.get(operand as string) === actual;
    default:
      throw new Error(`No matcher ${matcher}`);
  }
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `message` with each `$ref` replaced by what was bound under its name. */
export function substitute(message: unknown, bindings: Bindings): unknown {
  if (Array.isArray(message)) return message.map((entry) => substitute(entry, bindings));
  if (typeof message !== 'object' || message === null) return message;
  const { $ref, $append } = message as Json;
  if ($ref === undefined) {
    return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, substitute(value, bindings)]));
  }
  if (!bindings.has($ref)) throw new Error(`Nothing is bound to ${$ref}`);
  return $append === undefined ? bindings.get($ref) : `${bindings.get($ref)}${$append}`;
}
