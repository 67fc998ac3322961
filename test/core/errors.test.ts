import { DualEraError } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';

describe('DualEraError', () => {
  it('has a code, a message and a name', () => {
    const error = new DualEraError('ALREADY_WRAPPED', 'twice');
    expect(error).toBeInstanceOf(Error);
    expect({ code: error.code, message: error.message, name: error.name }).toStrictEqual({
      code: 'ALREADY_WRAPPED',
      message: 'twice',
      name: 'DualEraError',
    });
    expect(String(error)).toBe('DualEraError: twice');
  });

  it('passes its cause on', () => {
    const cause = new Error('root');
    expect(new DualEraError('CALL_ENDED', 'm', { cause }).cause).toBe(cause);
    expect('cause' in new DualEraError('CALL_ENDED', 'm')).toBe(false);
  });

  it('shows no brand among its members', () => {
    const shown = { ...new DualEraError('CALL_ENDED', 'm') };
    expect(Reflect.ownKeys(shown).sort()).toStrictEqual(['code', 'name']);
  });

  it('is known across copies of the package, where instanceof fails', async () => {
    vi.resetModules();
    const copy = await import('mcp-dual-era');
    const error = new copy.DualEraError('CALL_ENDED', 'm');
    expect(error).not.toBeInstanceOf(DualEraError);
    expect(DualEraError.isInstance(error)).toBe(true);
  });

  it('is known by its brand, whose name is part of the contract between versions', () => {
    expect(DualEraError.isInstance({ [Symbol.for('mcp-dual-era.error.1')]: true })).toBe(true);
  });

  it('is known when it is extended', () => {
    class Own extends DualEraError {}
    expect(DualEraError.isInstance(new Own('CALL_ENDED', 'm'))).toBe(true);
  });

  it.each([
    [null],
    [undefined],
    ['DualEraError'],
    [new Error('m')],
    [{ name: 'DualEraError', code: 'CALL_ENDED' }],
    [Object.create(new DualEraError('CALL_ENDED', 'm'))],
    [() => undefined],
  ])('is not %s', (value) => {
    expect(DualEraError.isInstance(value)).toBe(false);
  });
});
