import { createRequestStateCodec } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { bytesOf, CALL, causeOf, FORMS, KEY, OTHER_KEY } from './sealing.ts';

const NEWEST = 'newest-newest-newest-newest-newest';

describe.each(FORMS)('[Q6a] keys, %s', (_form, encrypt) => {
  const withKeys = (...keys: string[]) => createRequestStateCodec({ keys, encrypt });
  const idOf = (state: string): string => bytesOf(state).toString('hex', 0, 8);

  it('seal with the first and open with all', () => {
    const codec = withKeys(NEWEST, OTHER_KEY, KEY);
    expect(withKeys(NEWEST).verify(codec.mint(1, CALL), CALL)).toBe(1);
    expect(causeOf(() => withKeys(OTHER_KEY, KEY).verify(codec.mint(1, CALL), CALL))).toBe('unknown-key');
    for (const key of [NEWEST, OTHER_KEY, KEY]) expect(codec.verify(withKeys(key).mint(1, CALL), CALL)).toBe(1);
  });

  it('keep a dialog alive while one is replaced', () => {
    const state = withKeys(KEY).mint('open', CALL);
    expect(withKeys(OTHER_KEY, KEY).verify(state, CALL)).toBe('open');
    expect(withKeys(NEWEST, OTHER_KEY, KEY).verify(state, CALL)).toBe('open');
  });

  it('bind with the key that sealed: a state under an older key resumes no other call', () => {
    const state = withKeys(KEY).mint(1, CALL);
    expect(causeOf(() => withKeys(OTHER_KEY, KEY).verify(state, { binding: 'x' }))).toBe('wrong-binding');
  });

  it('[F38] refuse what a removed one has sealed', () => {
    const state = withKeys(KEY).mint(1, CALL);
    expect(causeOf(() => withKeys(OTHER_KEY).verify(state, CALL))).toBe('unknown-key');
  });

  it('may be listed twice', () => {
    const codec = withKeys(KEY, KEY);
    expect(codec.verify(codec.mint(1, CALL), CALL)).toBe(1);
  });

  it('have an id in the state that is the same each time, and that of no other key', () => {
    expect(idOf(withKeys(KEY).mint(1, CALL))).toBe(idOf(withKeys(KEY).mint(2, CALL)));
    expect(idOf(withKeys(KEY).mint(1, CALL))).not.toBe(idOf(withKeys(OTHER_KEY).mint(1, CALL)));
  });
});

describe('[Q6b] encrypt', () => {
  const sealing = createRequestStateCodec({ keys: KEY });
  const encrypting = createRequestStateCodec({ keys: KEY, encrypt: true });
  const PAYLOAD = { secret: 'tell nobody about this', list: [12345678901234] };

  it('hides the payload: none of it is in the bytes of the state', () => {
    const bytes = bytesOf(encrypting.mint(PAYLOAD, CALL)).toString('latin1');
    expect(bytes).not.toContain('tell nobody');
    expect(bytes).not.toContain('secret');
    expect(bytes).not.toContain('12345678901234');
  });

  it('is what hides it: without, it is there to read', () => {
    expect(bytesOf(sealing.mint(PAYLOAD, CALL)).toString('latin1')).toContain(JSON.stringify(PAYLOAD));
  });

  it('gives another text each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => encrypting.mint(PAYLOAD, CALL))).size).toBe(100);
  });

  it('can be switched on and off while dialogs are open: a key opens both forms', () => {
    expect(encrypting.verify(sealing.mint(PAYLOAD, CALL), CALL)).toStrictEqual(PAYLOAD);
    expect(sealing.verify(encrypting.mint(PAYLOAD, CALL), CALL)).toStrictEqual(PAYLOAD);
  });

  it.each(['sealed', 'encrypted'])('or not, the binding is not in the state in the clear: %s', (form) => {
    const codec = form === 'sealed' ? sealing : encrypting;
    const authInfo = { clientId: 'client-of-ada', extra: { sub: 'subject-of-ada' } };
    const params = { name: 'tool-of-ada', arguments: { target: 'argument-of-ada' } };
    const states = [
      codec.mint(1, { method: 'tools/call', params, authInfo }),
      codec.mint(1, { binding: 'binding-of-ada' }),
    ];
    for (const state of states) {
      expect(bytesOf(state).toString('latin1')).not.toContain('of-ada');
      expect(state).not.toContain('of-ada');
    }
  });

  it('or not, the key is not in the state', () => {
    for (const codec of [sealing, encrypting]) {
      expect(bytesOf(codec.mint(1, CALL)).toString('latin1')).not.toContain(KEY.slice(0, 8));
    }
  });
});
