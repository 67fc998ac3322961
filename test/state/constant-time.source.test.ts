import { describe, expect, it, vi } from 'vitest';
import { createRequestStateCodec } from '../../packages/shim/src/state/codec.ts';
import { bytesOf, CALL, KEY, stateOf } from './sealing.ts';

const steps = vi.hoisted(() => [] as string[]);

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  const timingSafeEqual = (left: Uint8Array, right: Uint8Array): boolean => {
    steps.push(`compare ${left.length} with ${right.length} bytes`);
    return crypto.timingSafeEqual(left, right);
  };
  return { ...crypto, timingSafeEqual };
});

/** What `run` compares and parses, in order. */
function stepsOf(run: () => unknown): string[] {
  steps.length = 0;
  const parse = JSON.parse;
  JSON.parse = (text, reviver) => {
    steps.push('parse');
    return parse(text, reviver);
  };
  try {
    run();
  } catch {
    steps.push('refuse');
  } finally {
    JSON.parse = parse;
  }
  return [...steps];
}

describe('[Q3b] the tag of a state', () => {
  const codec = createRequestStateCodec({ keys: KEY });
  const state = codec.mint({ step: 1 }, CALL);

  it('is compared in constant time, before anything is parsed', () => {
    expect(stepsOf(() => codec.verify(state, CALL))).toStrictEqual([
      'compare 32 with 32 bytes',
      'parse',
      'compare 43 with 43 bytes',
    ]);
  });

  it.each([0, 15, 31])('that is wrong in byte %d is compared as one that is right', (place) => {
    const bytes = bytesOf(state);
    const at = bytes.length - 32 + place;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(stepsOf(() => codec.verify(stateOf(bytes), CALL))).toStrictEqual(['compare 32 with 32 bytes', 'refuse']);
  });

  it('of another call’s binding is compared in constant time too', () => {
    expect(stepsOf(() => codec.verify(state, { binding: 'x' }))).toStrictEqual([
      'compare 32 with 32 bytes',
      'parse',
      'compare 43 with 43 bytes',
      'refuse',
    ]);
  });

  it('of an encrypted state is checked by AES-GCM itself, before anything is parsed', () => {
    const encrypting = createRequestStateCodec({ keys: KEY, encrypt: true });
    const bytes = bytesOf(encrypting.mint(1, CALL));
    bytes.writeUInt8(bytes.readUInt8(25) ^ 1, 25);
    expect(stepsOf(() => encrypting.verify(stateOf(bytes), CALL))).toStrictEqual(['refuse']);
  });
});
