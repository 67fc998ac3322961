import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { createRequestStateCodec, defaultBinding } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { bytesOf, CALL, codecAt, KEY, START } from './sealing.ts';

// What another process, or another version of this package, has to be able to read, written down a second time.
const derived = (purpose: string, length = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', KEY, '', `mcp-dual-era/request-state/v1/${purpose}`, length));
const tagOf = (audience: string | null, isExplicit: boolean, binding: string): string =>
  createHmac('sha256', derived('bind'))
    .update(JSON.stringify([audience, isExplicit, binding]))
    .digest('base64url');

describe('[Q2c] the format v1', () => {
  it('has the id of the key, the form, the text, and its HMAC under a key of its own', () => {
    const bytes = bytesOf(codecAt().codec.mint({ step: 1 }, CALL));
    const body = bytes.subarray(0, -32);
    expect(bytes.subarray(0, 8)).toStrictEqual(derived('id', 8));
    expect(bytes[8]).toBe(0);
    expect(bytes.toString('utf8', 9, bytes.length - 32)).toBe(
      `[{"step":1},${START},${START + 600_000},"${tagOf(null, false, defaultBinding(CALL))}"]`,
    );
    expect(bytes.subarray(-32)).toStrictEqual(
      createHmac('sha256', derived('seal')).update('v1.').update(body).digest(),
    );
  });

  it('has a nonce and AES-256-GCM under a key of its own, where it is encrypted', () => {
    const bytes = bytesOf(codecAt({ encrypt: true, audience: 'billing' }).codec.mint('é', { binding: 'order 7' }));
    expect(bytes.subarray(0, 8)).toStrictEqual(derived('id', 8));
    expect(bytes[8]).toBe(1);
    const decipher = createDecipheriv('aes-256-gcm', derived('encrypt'), bytes.subarray(9, 21), { authTagLength: 16 });
    decipher.setAAD(Buffer.concat([Buffer.from('v1.'), bytes.subarray(0, 9)]));
    decipher.setAuthTag(bytes.subarray(-16));
    const text = Buffer.concat([decipher.update(bytes.subarray(21, -16)), decipher.final()]).toString('utf8');
    expect(text).toBe(`["é",${START},${START + 600_000},"${tagOf('billing', true, 'order 7')}"]`);
  });

  it('says in its form that a key is of one process', () => {
    expect(bytesOf(createRequestStateCodec().mint(1, CALL))[8]).toBe(2);
    expect(bytesOf(createRequestStateCodec({ encrypt: true }).mint(1, CALL))[8]).toBe(3);
  });

  it.each([
    [
      'sealed',
      'v1.D7u_U6xCKl0AW3sic3RlcCI6MX0sMTc4NTE5NjgwMDAwMCwxNzg1MTk3NDAwMDAwLCJYREJmeTFNRWhzRVRjeGFGS0FzeC1rajJUR0VPbktmS2c3dm00UUNjTzBJIl3oKFBiLOZGasKe8hcehdSeIrN9c9keTDV0IAg__UC_VQ',
    ],
    [
      'encrypted',
      'v1.D7u_U6xCKl0BszturLi0zoFWSq0x5tV7rwH_2DWKbWFb1N155j3P5Uav0MvKsdqV9SPs3VrlSYUgBwgvX7-JtkduFZiO2jOV1fqOvZ955y44wC2V9X4iyJG5AxygbziTNZtHD7TG5LkfxpIz3mfoCk2GIsJnnSi6sEOl',
    ],
  ])('opens what was %s before', (_form, state) => {
    expect(codecAt().codec.verify(state, CALL)).toStrictEqual({ step: 1 });
  });
});
