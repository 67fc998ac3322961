import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';

const schemaOf = (name: string) => ({ type: 'object' as const, properties: { [name]: { type: 'string' as const } } });

/** A validator of SDK v1 that counts what it compiles. */
class Counting extends AjvJsonSchemaValidator {
  compiled = 0;

  override getValidator<Value>(schema: Parameters<AjvJsonSchemaValidator['getValidator']>[0]) {
    this.compiled += 1;
    return super.getValidator<Value>(schema);
  }
}

/** A validator that keeps what it was given, and takes everything. */
function recording() {
  const seen: unknown[] = [];
  const provider = {
    getValidator: (schema: unknown) => {
      seen.push(schema);
      return () => ({ valid: true as const, data: undefined as never, errorMessage: undefined });
    },
  };
  return { seen, provider };
}

describe('[M6a] cachedValidator', () => {
  it('compiles a schema once, however many objects say the same', () => {
    const provider = new Counting();
    const cached = cachedValidator(provider);
    for (let time = 0; time < 5; time += 1) {
      const validate = cached.getValidator(schemaOf('name'));
      expect(validate({ name: 'Ada' })).toEqual({ valid: true, data: { name: 'Ada' }, errorMessage: undefined });
      expect(validate({ name: 5 })).toMatchObject({ valid: false, data: undefined });
    }
    expect(provider.compiled).toBe(1);
  });

  it('keeps schemas apart that differ', () => {
    const provider = new Counting();
    const cached = cachedValidator(provider);
    expect(cached.getValidator(schemaOf('a'))({ a: 5 }).valid).toBe(false);
    expect(cached.getValidator(schemaOf('b'))({ a: 5 }).valid).toBe(true);
    expect(provider.compiled).toBe(2);
  });

  it('drops the schema that was used least recently when it is full', () => {
    const provider = new Counting();
    const cached = cachedValidator(provider, { maxEntries: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a']) cached.getValidator(schemaOf(name));
    expect(provider.compiled).toBe(3);
    cached.getValidator(schemaOf('b'));
    expect(provider.compiled).toBe(4);
  });

  it('hands on what is no JSON', () => {
    const { seen, provider } = recording();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const cached = cachedValidator(provider);
    for (const schema of [cycle, cycle, true]) cached.getValidator(schema as never);
    expect(seen).toEqual([cycle, cycle, true]);
  });

  it('gives what is no JSON no place', () => {
    const { seen, provider } = recording();
    const cached = cachedValidator(provider, { maxEntries: 1 });
    for (const schema of [schemaOf('a'), true, schemaOf('a')]) cached.getValidator(schema as never);
    expect(seen).toEqual([schemaOf('a'), true]);
  });

  it('takes no options that are none', () => {
    const wrong = () => cachedValidator(new Counting(), 5 as never);
    expect(wrong).toThrow(new TypeError('options must be an object, got 5'));
  });

  it('is taken by SDK v1 in place of its own, with what else the provider has', () => {
    const cached = cachedValidator(new Counting());
    expect(cached).toBeInstanceOf(Counting);
    expect(() => new McpServer({ name: 's', version: '1' }, { jsonSchemaValidator: cached })).not.toThrow();
  });

  it.each([
    [undefined, new TypeError('provider must be a jsonSchemaValidator of SDK v1, got undefined')],
    [{}, new TypeError('provider must be a jsonSchemaValidator of SDK v1, got an object')],
  ])('takes no provider that is none: %j', (provider, error) => {
    expect(() => cachedValidator(provider as never)).toThrow(error);
  });

  it.each([
    [0, new RangeError('maxEntries must be an integer from 1 to 9007199254740991, got 0')],
    [null, new TypeError('maxEntries must be a number, got null')],
    ['5', new TypeError('maxEntries must be a number, got "5"')],
  ])('takes no maxEntries of %j', (maxEntries, error) => {
    expect(() => cachedValidator(new Counting(), { maxEntries: maxEntries as never })).toThrow(error);
  });
});
