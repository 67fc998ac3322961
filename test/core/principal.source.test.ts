import { describe, expect, it, vi } from 'vitest';
import {
  defaultSubject,
  isSameCaller,
  principalOf,
  principalUnlessDenied,
  type SubjectOf,
  subjectUnlessDenied,
} from '../../packages/shim/src/core/principal.ts';

const auth = (clientId: string, extra?: Record<string, unknown>) => ({ clientId, extra });
const none: SubjectOf = () => undefined;
const throws: SubjectOf = () => {
  throw new Error('boom');
};

describe('defaultSubject', () => {
  it.each<[Record<string, unknown> | undefined, string | undefined]>([
    [{ sub: 'ada' }, '[null,"ada"]'],
    [{ sub: 'ada', iss: 'https://a' }, '["https://a","ada"]'],
    [{ sub: 'ada', iss: 7 }, '[null,"ada"]'],
    [{ sub: '' }, undefined],
    [{ sub: 7 }, undefined],
    [{ sub: null }, undefined],
    [{ iss: 'https://a' }, undefined],
    [{}, undefined],
    [undefined, undefined],
    [Object.create({ sub: 'ada' }), undefined],
  ])('of the extra %j is %s', (extra, subject) => {
    expect(defaultSubject(auth('c', extra))).toBe(subject);
  });

  it('tells an issuer from the start of a subject', () => {
    expect(defaultSubject(auth('c', { iss: 'a', sub: 'b,c' }))).not.toBe(
      defaultSubject(auth('c', { iss: 'a,b', sub: 'c' })),
    );
    expect(defaultSubject(auth('c', { sub: 'null","b' }))).not.toBe(
      defaultSubject(auth('c', { iss: 'null', sub: 'b' })),
    );
  });
});

describe('principalOf', () => {
  it('is the client with its subject', () => {
    expect(principalOf(auth('c', { sub: 'ada' }), defaultSubject)).toBe('["c","[null,\\"ada\\"]"]');
  });

  it('is the client alone where it has no subject', () => {
    expect(principalOf(auth('c'), defaultSubject)).toBe('["c",null]');
  });

  it('is anonymous without authentication, and asks no subject function', () => {
    const subjectOf = vi.fn(none);
    expect(principalOf(undefined, subjectOf)).toBe('anonymous');
    expect(subjectOf).not.toHaveBeenCalled();
  });

  it('never takes a client for an anonymous one, or a subject for a client', () => {
    expect(principalOf(auth('anonymous'), none)).not.toBe('anonymous');
    expect(principalOf(auth('a'), () => 'b')).not.toBe(principalOf(auth('b'), () => 'a'));
    expect(principalOf(auth('a'), () => '')).not.toBe(principalOf(auth('a'), none));
    expect(principalOf(auth('a'), () => 'null')).not.toBe(principalOf(auth('a'), none));
  });

  it('passes on what the subject function throws', () => {
    expect(() => principalOf(auth('c'), throws)).toThrow('boom');
  });

  it.each([[null], [7], [{}], [[]], [true]])('refuses %j as a subject', (subject) => {
    expect(() => principalOf(auth('c'), () => subject as never)).toThrow(
      new TypeError('subject must return a string or undefined'),
    );
  });

  it('refuses a promise as a subject, and handles its rejection, which would end the process', () => {
    const rejection = Promise.reject(new Error('late'));
    const handle = vi.spyOn(rejection, 'then');
    expect(() => principalOf(auth('c'), () => rejection as never)).toThrow(
      new TypeError('subject must return a string or undefined'),
    );
    const isHandled = handle.mock.calls.length > 0;
    // Whatever comes out, the test run is not to end with it.
    rejection.catch(() => undefined);
    expect(isHandled).toBe(true);
  });
});

describe('isSameCaller', () => {
  const ada = auth('c', { sub: 'ada', iss: 'i' });

  it.each([
    [undefined, undefined],
    [ada, auth('c', { sub: 'ada', iss: 'i', scope: 'other' })],
    [auth('c'), auth('c', {})],
  ])('says so of %j and %j', (left, right) => {
    expect(isSameCaller(left, right, defaultSubject)).toBe(true);
  });

  it.each([
    [ada, undefined],
    [undefined, ada],
    [ada, auth('d', { sub: 'ada', iss: 'i' })],
    [ada, auth('c', { sub: 'bob', iss: 'i' })],
    [ada, auth('c', { sub: 'ada', iss: 'j' })],
    [ada, auth('c', { sub: 'ada' })],
    [ada, auth('c')],
  ])('denies it of %j and %j', (left, right) => {
    expect(isSameCaller(left, right, defaultSubject)).toBe(false);
  });

  it('denies it where the subject function throws, for a caller and itself too', () => {
    expect(isSameCaller(ada, ada, throws)).toBe(false);
    expect(isSameCaller(undefined, ada, throws)).toBe(false);
  });

  it('compares two without authentication without asking', () => {
    expect(isSameCaller(undefined, undefined, throws)).toBe(true);
  });
});

describe('a caller that may be denied', () => {
  const caller = { clientId: 'c', token: 't', scopes: [] };

  it('is whom the subject function names', () => {
    expect(subjectUnlessDenied(caller, () => 'ada')).toStrictEqual({ subject: 'ada' });
    expect(subjectUnlessDenied(caller, () => undefined)).toStrictEqual({ subject: undefined });
    expect(principalUnlessDenied(caller, () => 'ada')).toBe('["c","ada"]');
  });

  it('is nobody, and not asked about, where there is none', () => {
    const ask = vi.fn<SubjectOf>();
    expect(subjectUnlessDenied(undefined, ask)).toStrictEqual({ subject: undefined });
    expect(principalUnlessDenied(undefined, ask)).toBe('anonymous');
    expect(ask).not.toHaveBeenCalled();
  });

  it.each<[string, SubjectOf]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['gives no string', () => 7 as never],
    ['gives a promise', (async () => 'ada') as never],
  ])('is denied where the subject function %s', (_name, subjectOf) => {
    expect(subjectUnlessDenied(caller, subjectOf)).toBeUndefined();
    expect(principalUnlessDenied(caller, subjectOf)).toBeUndefined();
  });
});
