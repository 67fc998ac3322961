import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { forked } from './forked.ts';
import { CALL, causeOf, FORMS, KEY, OTHER_KEY } from './sealing.ts';

const PROCESS = new URL('codec-process.ts', import.meta.url);

describe('[Q6c] two processes', () => {
  it('that share a key open each other’s states', async () => {
    const [first, second] = [forked(PROCESS, [KEY]), forked(PROCESS, [KEY])];
    const { state } = await first.ask({ mint: { step: 1 } });
    expect(await second.ask({ verify: state })).toStrictEqual({ payload: { step: 1 } });
    const { state: back } = await second.ask({ mint: { step: 2 } });
    expect(await first.ask({ verify: back })).toStrictEqual({ payload: { step: 2 } });
  });

  it('that do not share a key refuse each other’s states', async () => {
    const [first, second] = [forked(PROCESS, [KEY]), forked(PROCESS, [OTHER_KEY])];
    const { state } = await first.ask({ mint: 1 });
    expect(await second.ask({ verify: state })).toStrictEqual({ cause: 'unknown-key' });
  });

  it('[Q6d] without a key refuse each other’s states, and say why to the operator', async () => {
    const [first, second] = [forked(PROCESS), forked(PROCESS)];
    const { state } = await first.ask({ mint: { step: 1 } });
    expect(await first.ask({ verify: state })).toStrictEqual({ payload: { step: 1 } });
    expect(await second.ask({ verify: state })).toStrictEqual({ cause: 'other-ephemeral-key' });
  });
});

describe.each(FORMS)('[Q6d] a codec without keys, %s', (_form, encrypt) => {
  it('has a key of its own, which no other codec has', () => {
    const [first, second] = [createRequestStateCodec({ encrypt }), createRequestStateCodec({ encrypt })];
    const state = first.mint({ step: 1 }, CALL);
    expect(first.verify(state, CALL)).toStrictEqual({ step: 1 });
    expect(causeOf(() => second.verify(state, CALL))).toBe('other-ephemeral-key');
  });

  it('has the same key all along', () => {
    const codec = createRequestStateCodec({ encrypt });
    const states = [codec.mint(1, CALL), codec.mint(2, CALL)];
    expect(states.map((state) => codec.verify(state, CALL))).toStrictEqual([1, 2]);
  });

  it('refuses a state before it has ever sealed one', () => {
    const state = createRequestStateCodec({ keys: KEY, encrypt }).mint(1, CALL);
    expect(causeOf(() => createRequestStateCodec({ encrypt }).verify(state, CALL))).toBe('unknown-key');
  });

  it('has states that say so to a codec with keys', () => {
    const state = createRequestStateCodec({ encrypt }).mint(1, CALL);
    expect(causeOf(() => createRequestStateCodec({ keys: KEY }).verify(state, CALL))).toBe('other-ephemeral-key');
  });
});
