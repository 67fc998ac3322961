import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { CALL, causeOf, codecAt, FORMS, KEY, START } from './sealing.ts';

describe.each(FORMS)('[Q7a] a state, %s', (_form, encrypt) => {
  it('expires 600 s after it was minted, to the millisecond', () => {
    const { clock, codec } = codecAt({ encrypt });
    const state = codec.mint('open', CALL);
    clock.now = START + 599_999;
    expect(codec.verify(state, CALL)).toBe('open');
    clock.now = START + 600_000;
    expect(causeOf(() => codec.verify(state, CALL))).toBe('expired');
  });

  it.each([
    [1, 1_000],
    [1.5, 1_500],
    [86_400, 86_400_000],
  ])('expires after ttlSeconds: %d', (ttlSeconds, ms) => {
    const { clock, codec } = codecAt({ encrypt, ttlSeconds });
    const state = codec.mint('open', CALL);
    clock.now = START + ms - 1;
    expect(codec.verify(state, CALL)).toBe('open');
    clock.now = START + ms;
    expect(causeOf(() => codec.verify(state, CALL))).toBe('expired');
  });

  it('stays expired, however late it is', () => {
    const { clock, codec } = codecAt({ encrypt });
    const state = codec.mint('open', CALL);
    clock.now = START * 2;
    expect(causeOf(() => codec.verify(state, CALL))).toBe('expired');
  });

  it('expires when it said so at minting, whatever the ttlSeconds of the codec that opens it', () => {
    const { codec: brief } = codecAt({ encrypt, ttlSeconds: 1 });
    const { clock, codec: long } = codecAt({ encrypt, ttlSeconds: 86_400 });
    const state = brief.mint('open', CALL);
    clock.now = START + 1_000;
    expect(causeOf(() => long.verify(state, CALL))).toBe('expired');
  });

  it('[Q7b] is accepted when it was minted up to 60 s in the future, and refused at 60 001 ms', () => {
    const { clock, codec } = codecAt({ encrypt });
    const state = codec.mint('open', CALL);
    clock.now = START - 60_000;
    expect(codec.verify(state, CALL)).toBe('open');
    clock.now = START - 60_001;
    expect(causeOf(() => codec.verify(state, CALL))).toBe('not-yet-valid');
  });

  it.each([[1e300], [Number.MAX_VALUE]])('can be used when ttlSeconds is as large as %d', (ttlSeconds) => {
    const { clock, codec } = codecAt({ encrypt, ttlSeconds });
    const state = codec.mint('open', CALL);
    clock.now = START + 600_000;
    expect(codec.verify(state, CALL)).toBe('open');
  });

  it('runs on the clock of the platform', () => {
    const codec = createRequestStateCodec({ keys: KEY, encrypt });
    const { clock, codec: byHand } = codecAt({ encrypt });
    clock.now = Date.now();
    expect(codec.verify(byHand.mint('now', CALL), CALL)).toBe('now');
    clock.now = Date.now() - 600_000;
    expect(causeOf(() => codec.verify(byHand.mint('before', CALL), CALL))).toBe('expired');
    clock.now = Date.now() + 120_000;
    expect(causeOf(() => codec.verify(byHand.mint('later', CALL), CALL))).toBe('not-yet-valid');
  });
});
