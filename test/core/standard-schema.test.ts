import { acceptedContent, inputContext, type StandardResult, type StandardSchema } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as zod3 from 'zod/v3';
import { deliver } from './delivery.ts';

const CONTENT = { name: 'Ada', tags: ['a', 'b'] };
const responses = { q: { action: 'accept', content: CONTENT } };

function schemaThat<Output>(validate: (value: unknown) => StandardResult<Output>): StandardSchema<Output> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

/** The issues that a handler is told. */
function issuesOf(schema: StandardSchema): unknown {
  const response = inputContext(deliver({ responses })).response('q', schema);
  return response.kind === 'invalid' ? response.issues : response;
}

describe('a schema to read an answer with', () => {
  it.each<[string, StandardSchema<{ name: string }>]>([
    ['zod', z.object({ name: z.string() })],
    ['zod mini', mini.object({ name: mini.string() })],
    ['zod 3', zod3.object({ name: zod3.string() }) as StandardSchema<{ name: string }>],
  ])('may be one of %s', (_name, schema) => {
    expect(acceptedContent(responses, 'q', schema)).toStrictEqual({ name: 'Ada' });
  });

  it('is given the content as it came', () => {
    const validate = vi.fn((value: unknown) => ({ value }));
    expect(acceptedContent(responses, 'q', schemaThat(validate))).toBe(CONTENT);
    expect(validate.mock.calls).toStrictEqual([[CONTENT]]);
  });

  it('is called as a method', () => {
    const standard = {
      version: 1 as const,
      vendor: 'test',
      validate(this: unknown) {
        return { value: this };
      },
    };
    expect(acceptedContent(responses, 'q', { '~standard': standard })).toBe(standard);
  });

  it('may turn the content into a falsy value', () => {
    expect(
      acceptedContent(
        responses,
        'q',
        schemaThat(() => ({ value: 0 })),
      ),
    ).toBe(0);
  });

  it('refuses with an empty list of issues too', () => {
    expect(issuesOf(schemaThat(() => ({ issues: [] })))).toStrictEqual([]);
  });

  it('has its issues read with their paths in dots', () => {
    const issues = [
      { message: 'whole' },
      { message: 'flat', path: ['name'] },
      { message: 'deep', path: ['tags', 1, { key: 'x' }] },
      { message: 'symbol', path: [Symbol('s'), { key: Symbol('t') }] },
      { message: 'none', path: undefined },
    ];
    expect(issuesOf(schemaThat(() => ({ issues })))).toStrictEqual([
      { path: '', message: 'whole' },
      { path: 'name', message: 'flat' },
      { path: 'tags.1.x', message: 'deep' },
      { path: 'Symbol(s).Symbol(t)', message: 'symbol' },
      { path: '', message: 'none' },
    ]);
  });

  it('has the issues of zod read', () => {
    expect(issuesOf(z.object({ name: z.string(), tags: z.array(z.literal('a', 'must be a')) }))).toStrictEqual([
      { path: 'tags.1', message: 'must be a' },
    ]);
  });

  it('that throws, throws at the reader', () => {
    const read = () =>
      acceptedContent(
        responses,
        'q',
        schemaThat(() => {
          throw new Error('boom');
        }),
      );
    expect(read).toThrow('boom');
  });

  it('is refused when it validates asynchronously, and its promise leaves no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const validate = () => Promise.reject(new Error('late')) as never;
    expect(() => acceptedContent(responses, 'q', schemaThat(validate))).toThrow(
      new TypeError('The schema to read an answer with must be synchronous, got one that returns a promise'),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('is refused when it returns a promise of another kind', () => {
    // biome-ignore lint/suspicious/noThenProperty: a promise that is not the platform's own.
    const validate = () => ({ then: () => undefined }) as never;
    expect(() => acceptedContent(responses, 'q', schemaThat(validate))).toThrow(
      new TypeError('The schema to read an answer with must be synchronous, got one that returns a promise'),
    );
  });
});
