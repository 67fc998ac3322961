import fc from 'fast-check';
import { acceptedContent, form } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { type Sample, sampledForm } from './form-arbitraries.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const made = (samples: readonly (readonly [string, Sample])[]) =>
  form(Object.fromEntries(samples.map(([name, { field: one }]) => [name, one])));
const read = (schema: ReturnType<typeof made>, content: Json): Json | undefined =>
  acceptedContent({ q: { action: 'accept', content } }, 'q', schema) as Json | undefined;
// An own member named constructor would make Vitest take an object for one of another class.
const entriesOf = (content: Json | undefined): unknown => content && Object.entries(content);
const changed = (content: Json, name: string, value: unknown): Json =>
  Object.fromEntries(Object.entries(content).map((entry) => (entry[0] === name ? [name, value] : entry)));
const without = (content: Json, name: string): Json =>
  Object.fromEntries(Object.entries(content).filter(([one]) => one !== name));

describe('[A14] any form made with field', () => {
  it('accepts a right answer as it is', () => {
    fc.assert(
      fc.property(sampledForm, (samples) => {
        const content = Object.fromEntries(samples.map(([name, { right }]) => [name, right]));
        expect(entriesOf(read(made(samples), content))).toStrictEqual(entriesOf(content));
      }),
    );
  });

  it('refuses each single mutation of it, by the field', () => {
    let mutations = 0;
    fc.assert(
      fc.property(sampledForm, (samples) => {
        const schema = made(samples);
        const content = Object.fromEntries(samples.map(([name, { right }]) => [name, right]));
        for (const [name, { wrong }] of samples) {
          for (const value of wrong) {
            mutations += 1;
            const mutation = changed(content, name, value);
            expect(read(schema, mutation)).toBeUndefined();
            expect(schema['~standard'].validate(mutation)).toMatchObject({ issues: [{ path: [name] }] });
          }
        }
      }),
    );
    expect(mutations).toBeGreaterThan(500);
  });

  it('fills in a field that is left out, lacks it where it is optional, and refuses the rest', () => {
    const seen = { filled: 0, lacking: 0, refused: 0 };
    fc.assert(
      fc.property(sampledForm, (samples) => {
        const schema = made(samples);
        const content = Object.fromEntries(samples.map(([name, { right }]) => [name, right]));
        for (const [name, { isOptional, default: value }] of samples) {
          const answer = read(schema, without(content, name));
          if (value !== undefined) {
            seen.filled += 1;
            expect(entriesOf(answer)).toStrictEqual(entriesOf(content));
          } else if (isOptional) {
            seen.lacking += 1;
            expect(entriesOf(answer)).toStrictEqual(entriesOf(without(content, name)));
          } else {
            seen.refused += 1;
            expect(answer).toBeUndefined();
          }
        }
      }),
    );
    expect(Math.min(seen.filled, seen.lacking, seen.refused)).toBeGreaterThan(20);
  });
});
