/** A JSON Schema validator that compiles a schema once, however often it is given one that says the same. */
import { isJsonObject } from './json.ts';
import { integer, knownOptions, object, wrongType } from './option-checks.ts';

/** A `jsonSchemaValidator` as SDK v1 takes it in the options of its servers and clients. */
export interface ValidatorProvider {
  getValidator<Value>(schema: never): (input: unknown) => Validated<Value>;
}

export type Validated<Value> =
  | { valid: true; data: Value; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

export interface CachedValidatorOptions {
  /** How many schemas are kept; the one that was used least recently goes first. An integer >= 1. @defaultValue 1 000 */
  readonly maxEntries?: number | undefined;
}

/**
 * Wraps `provider` with a bounded cache by what a schema says, to be shared by every server of a process:
 * `new McpServer(info, { jsonSchemaValidator: cachedValidator(new AjvJsonSchemaValidator()) })`. SDK v1's own cache goes by
 * the schema object, so that a literal in a handler is compiled, and kept, anew for each call; and each server that is
 * given no validator makes one of its own, which is most of what it costs to make. What is dropped here to stay in bounds
 * Ajv itself may keep.
 *
 * @throws TypeError or RangeError for a provider or an option that is none.
 */
export function cachedValidator<Provider extends ValidatorProvider>(
  provider: Provider,
  options: CachedValidatorOptions = {},
): Provider {
  if (typeof provider?.getValidator !== 'function') {
    throw wrongType('provider', 'a jsonSchemaValidator of SDK v1', provider);
  }
  object('options', options);
  knownOptions('options', options, ['maxEntries']);
  const { maxEntries = 1_000 } = options;
  integer('maxEntries', maxEntries);
  const known = new Map<string, (input: unknown) => Validated<unknown>>();
  const getValidator = (schema: never): ((input: unknown) => Validated<unknown>) => {
    const key = keyOf(schema);
    const found = key === undefined ? undefined : known.get(key);
    const validator = found ?? provider.getValidator(schema);
    if (key === undefined) return validator;
    // To the end of the line.
    known.delete(key);
    known.set(key, validator);
    const [oldest] = known.keys();
    if (known.size > maxEntries && oldest !== undefined) known.delete(oldest);
    return validator;
  };
  return Object.assign(Object.create(provider) as Provider, { getValidator });
}

/** Undefined for what is no JSON, which is left to the provider. */
function keyOf(schema: unknown): string | undefined {
  try {
    return isJsonObject(schema) ? JSON.stringify(schema) : undefined;
  } catch {
    return undefined;
  }
}
