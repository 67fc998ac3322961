import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { expectQuick } from '../core/quick.ts';
import { bytesOf, CALL, causeOf, codecAt, FORMS, KEY, stateOf } from '../state/sealing.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const TEN_MEGABYTES = 10_000_000;

describe.each(FORMS)('[F38] [Q2a] a state, %s, that was', (_form, encrypt) => {
  const { codec } = codecAt({ encrypt });
  const refused = (state: unknown): string => causeOf(() => codec.verify(state, CALL));
  // One state of each length by three, since the last character of each has other spare bits.
  const states = ['a', 'ab', 'abc'].map((payload) => codec.mint(payload, CALL));
  const [state = ''] = states;

  it('changed in any one bit of its bytes is refused', () => {
    const bytes = bytesOf(state);
    const causes = new Set<string>();
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      causes.add(refused(stateOf(changed)));
    }
    expect([...causes].sort()).toStrictEqual(['bad-seal', 'malformed', 'unknown-key']);
  });

  it('changed in any one bit of its text is refused', () => {
    const text = Buffer.from(state, 'latin1');
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      const changed = Buffer.from(text);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      refused(changed.toString('latin1'));
    }
  });

  it('changed in any one byte to any other is refused, in its head and its tag', () => {
    const bytes = bytesOf(state);
    const places = [...bytes.keys()].filter((place) => place < 9 || place >= bytes.length - 32);
    for (const place of places) {
      for (let value = 0; value < 256; value += 1) {
        if (value === bytes[place]) continue;
        const changed = Buffer.from(bytes);
        changed.writeUInt8(value, place);
        refused(stateOf(changed));
      }
    }
  });

  it('cut off at any character is refused', () => {
    for (let length = 0; length < state.length; length += 1) refused(state.slice(0, length));
  });

  it('cut off at its beginning is refused', () => {
    for (let start = 1; start <= state.length; start += 1) {
      refused(state.slice(start));
      refused(`v1.${state.slice(3 + start)}`);
    }
  });

  it('relieved of any one byte is refused', () => {
    const bytes = bytesOf(state);
    for (let place = 0; place < bytes.length; place += 1) {
      refused(stateOf(Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)])));
    }
  });

  it('given any one byte more is refused, at its end and before its tag', () => {
    const bytes = bytesOf(state);
    for (let value = 0; value < 256; value += 1) {
      const byte = Buffer.from([value]);
      expect(refused(stateOf(Buffer.concat([bytes, byte])))).toBe('bad-seal');
      refused(stateOf(Buffer.concat([bytes.subarray(0, -32), byte, bytes.subarray(-32)])));
      refused(stateOf(Buffer.concat([bytes.subarray(0, 9), byte, bytes.subarray(9)])));
    }
  });

  it('put together from two of them is refused', () => {
    const [first, second] = [codec.mint('first', CALL), codec.mint('other', CALL)].map(bytesOf) as [Buffer, Buffer];
    for (let place = 9; place < first.length; place += 1) {
      const mixed = stateOf(Buffer.concat([first.subarray(0, place), second.subarray(place)]));
      if (mixed !== stateOf(first) && mixed !== stateOf(second)) refused(mixed);
    }
  });

  it.each([
    ['padding', (text: string) => `${text}=`],
    ['padding of two', (text: string) => `${text}==`],
    ['a space behind it', (text: string) => `${text} `],
    ['a space before it', (text: string) => ` ${text}`],
    ['a space behind its version', (text: string) => text.replace('v1.', 'v1. ')],
    ['a space inside it', (text: string) => `${text.slice(0, 20)} ${text.slice(20)}`],
    ['a line end behind it', (text: string) => `${text}\n`],
    ['a line end of two characters', (text: string) => `${text}\r\n`],
    ['a line end inside it', (text: string) => `${text.slice(0, 20)}\n${text.slice(20)}`],
    ['a NUL behind it', (text: string) => `${text}\0`],
    ['a character of no base64', (text: string) => `${text.slice(0, 20)}*${text.slice(20)}`],
    ['a character beyond ASCII', (text: string) => `${text}é`],
    ['a dot behind it', (text: string) => `${text}.`],
    ['a second dot inside it', (text: string) => `${text.slice(0, 20)}.${text.slice(20)}`],
    ['a second dot behind its version', (text: string) => text.replace('v1.', 'v1..')],
    ['a second version', (text: string) => `v1.${text}`],
    ['itself behind it', (text: string) => text + text],
    ['itself behind a dot', (text: string) => `${text}.${text.slice(3)}`],
  ])('written another way is refused: %s', (_name, write) => {
    for (const one of states) expect(refused(write(one))).toBe('malformed');
  });

  it('written in base64, not base64url, is refused', () => {
    let written = state;
    // Until one has a character that the two write in different ways.
    for (let tries = 0; !/[-_]/.test(written); tries += 1) written = codec.mint(`${'?'.repeat(30)}${tries}`, CALL);
    for (const [url, plain] of [
      ['-', '+'],
      ['_', '/'],
    ] as const) {
      const variant = written.replaceAll(url, plain);
      if (variant !== written) expect(refused(variant)).toBe('malformed');
    }
    const padded = `v1.${bytesOf(written).toString('base64')}`;
    expect(padded).not.toBe(written);
    expect(refused(padded)).toBe('malformed');
  });

  it('given another last character is refused, also one that decodes to the same bytes', () => {
    let sameBytes = 0;
    for (const one of states) {
      for (const last of ALPHABET) {
        const variant = one.slice(0, -1) + last;
        if (variant === one) continue;
        if (bytesOf(variant).equals(bytesOf(one))) sameBytes += 1;
        expect(refused(variant)).toBe(stateOf(bytesOf(variant)) === variant ? 'bad-seal' : 'malformed');
      }
    }
    // 3 of one spare pair of bits, 15 of two.
    expect(sameBytes).toBe(18);
  });

  it.each(['v0.', 'v2.', 'v10.', 'V1.', 'v1', 'v1:', '1.', '', 'v01.', 'v1 .', 'v１.'])(
    'given the version %j is refused',
    (version) => {
      expect(refused(version + state.slice(3))).toBe('malformed');
    },
  );

  it('given the other form is refused, though its bytes are the same', () => {
    for (const form of [0, 1, 2, 3]) {
      const bytes = bytesOf(state);
      if (bytes[8] === form) continue;
      bytes.writeUInt8(form, 8);
      expect(refused(stateOf(bytes))).toBe('bad-seal');
    }
  });

  it('given a form that there is not is refused', () => {
    for (let form = 4; form < 256; form += 1) {
      const bytes = bytesOf(state);
      bytes.writeUInt8(form, 8);
      expect(refused(stateOf(bytes))).toBe('malformed');
    }
  });

  it('left as it is opens', () => {
    expect(states.map((one) => codec.verify(one, CALL))).toStrictEqual(['a', 'ab', 'abc']);
  });
});

describe('[F38] [Q2b] in place of a state', () => {
  const { codec } = codecAt();
  const refused = (state: unknown): string => causeOf(() => codec.verify(state, CALL));
  const state = codec.mint(1, CALL);

  it.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['an empty text', ''],
    ['the version alone', 'v1.'],
    ['the version without its dot', 'v1'],
    ['a number', 1],
    ['NaN', Number.NaN],
    ['true', true],
    ['a big integer', 1n],
    ['a symbol', Symbol('v1.')],
    ['a function', () => state],
    ['a state in a list', [state]],
    ['a state in a String', Object(state)],
    ['an object that becomes a state', { toString: () => state }],
    ['an object with a length', { length: 10, startsWith: () => true, slice: () => state.slice(3) }],
    ['the bytes of a state', Buffer.from(state)],
    ['JSON', '{"payload":1}'],
    ['a JSON Web Token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.'],
    ['a state of the official SDK v2', 'v1.eyJwIjoxLCJleHAiOjE3ODUxOTcwMDB9.c2lnbmF0dXJl'],
  ])('%s is refused', (_name, given) => {
    expect(refused(given)).toBe('malformed');
  });

  it('any text and any bytes are refused, and nothing but a refusal is thrown', () => {
    const head = bytesOf(state).subarray(0, 8);
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }).map((text) => `v1.${text}`),
      fc.uint8Array({ maxLength: 200 }).map(stateOf),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => stateOf(Buffer.concat([head, bytes]))),
      fc.anything(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        refused(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('any number of bytes up to those of the shortest state is refused', () => {
    for (let length = 0; length < 60; length += 1) refused(stateOf(Buffer.alloc(length)));
    const head = bytesOf(state).subarray(0, 9);
    for (let length = 0; length < 60; length += 1) refused(stateOf(Buffer.concat([head, Buffer.alloc(length)])));
  });

  it.each(FORMS)('the head of a state and too few bytes for its tag are refused, %s', (_form, encrypt) => {
    const head = bytesOf(codecAt({ encrypt }).codec.mint(1, CALL)).subarray(0, 9);
    const shortest = encrypt ? 12 + 16 : 32;
    expect(refused(stateOf(Buffer.concat([head, Buffer.alloc(shortest - 1)])))).toBe('malformed');
    expect(refused(stateOf(Buffer.concat([head, Buffer.alloc(shortest)])))).toBe('bad-seal');
  });

  it.each<[string, string]>([
    ['of one character', 'A'.repeat(TEN_MEGABYTES)],
    ['with the version before it', `v1.${'A'.repeat(TEN_MEGABYTES)}`],
    ['of dots', `v1.${'.'.repeat(TEN_MEGABYTES)}`],
    ['of spaces', ' '.repeat(TEN_MEGABYTES)],
    ['with a state at its beginning', state.padEnd(TEN_MEGABYTES, 'A')],
    ['of surrogates', `v1.${'😀'.repeat(TEN_MEGABYTES / 2)}`],
  ])('10 MB %s are refused in no time, a hundred times over', (_name, text) => {
    expectQuick(() => {
      for (let times = 0; times < 100; times += 1) expect(refused(text)).toBe('malformed');
    });
  });

  it('a state longer than any of maxBytes is refused unread, though its seal is right', () => {
    const long = createRequestStateCodec({ keys: KEY, maxBytes: 10_000 }).mint('x'.repeat(9_000), CALL);
    const brief = createRequestStateCodec({ keys: KEY, maxBytes: 1_000 });
    expect(causeOf(() => brief.verify(long, CALL))).toBe('malformed');
  });
});

describe('[Q2c] a tag', () => {
  it('made with the given key itself is refused: the key seals only through a key of its own for each purpose', () => {
    const { codec } = codecAt();
    const bytes = bytesOf(codec.mint(1, CALL));
    const body = bytes.subarray(0, -32);
    const purposes = ['id', 'encrypt', 'bind', ''].map((purpose) =>
      Buffer.from(hkdfSync('sha256', KEY, '', `mcp-dual-era/request-state/v1/${purpose}`, 32)),
    );
    for (const key of [Buffer.from(KEY), ...purposes]) {
      const tag = createHmac('sha256', key).update('v1.').update(body).digest();
      expect(causeOf(() => codec.verify(stateOf(Buffer.concat([body, tag])), CALL))).toBe('bad-seal');
    }
  });

  it('of everything but the version is refused', () => {
    const { codec } = codecAt();
    const body = bytesOf(codec.mint(1, CALL)).subarray(0, -32);
    const key = Buffer.from(hkdfSync('sha256', KEY, '', 'mcp-dual-era/request-state/v1/seal', 32));
    const sign = (version: string) => createHmac('sha256', key).update(version).update(body).digest();
    expect(codec.verify(stateOf(Buffer.concat([body, sign('v1.')])), CALL)).toBe(1);
    for (const version of ['', 'v2.', 'v1']) {
      expect(causeOf(() => codec.verify(stateOf(Buffer.concat([body, sign(version)])), CALL))).toBe('bad-seal');
    }
  });
});
