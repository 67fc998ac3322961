/** Who a message comes from, as far as the transport authenticated it. */
import { isJsonObject, ownMember } from './json.ts';
import { isUnwantedPromise } from './thenable.ts';

/** The part of SDK v1's `AuthInfo` that identifies a caller. */
export interface CallerAuth {
  readonly clientId: string;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Names the person or service behind a token; undefined when the token has none. A throw denies. */
export type SubjectOf = (authInfo: CallerAuth) => string | undefined;

/** The token's subject together with its issuer, where the transport's `extra` has a non-empty `sub`. */
export function defaultSubject(authInfo: CallerAuth): string | undefined {
  if (!isJsonObject(authInfo.extra)) return undefined;
  const subject = ownMember(authInfo.extra, 'sub');
  if (typeof subject !== 'string' || subject === '') return undefined;
  const issuer = ownMember(authInfo.extra, 'iss');
  return JSON.stringify([typeof issuer === 'string' ? issuer : null, subject]);
}

/** The caller as one comparable text. Client id and subject are kept apart: neither stands in for the other. */
export function principalOf(authInfo: CallerAuth | undefined, subjectOf: SubjectOf): string {
  if (authInfo === undefined) return 'anonymous';
  return JSON.stringify([authInfo.clientId, namedBy(subjectOf, authInfo) ?? null]);
}

/** Whom the subject function names; undefined for a caller that it denies, by throwing or by giving no string. */
export function subjectUnlessDenied(
  authInfo: CallerAuth | undefined,
  subjectOf: SubjectOf,
): { readonly subject: string | undefined } | undefined {
  try {
    return { subject: authInfo && namedBy(subjectOf, authInfo) };
  } catch {
    return undefined;
  }
}

function namedBy(subjectOf: SubjectOf, authInfo: CallerAuth): string | undefined {
  const subject = subjectOf(authInfo);
  if (isUnwantedPromise(subject) || (subject !== undefined && typeof subject !== 'string')) {
    throw new TypeError('subject must return a string or undefined');
  }
  return subject;
}

/** What the author of the server is told of a caller that is denied. */
export const CALLER_DENIED = 'the caller is denied, because the subject option threw or returned no string';

/** The same as `principalOf`; undefined for a caller that the subject function denies, by throwing or by giving no string. */
export function principalUnlessDenied(authInfo: CallerAuth | undefined, subjectOf: SubjectOf): string | undefined {
  try {
    return principalOf(authInfo, subjectOf);
  } catch {
    return undefined;
  }
}

/** Tells whether two messages come from the same caller. A subject function that throws makes them differ. */
export function isSameCaller(
  left: CallerAuth | undefined,
  right: CallerAuth | undefined,
  subjectOf: SubjectOf,
): boolean {
  const principal = principalUnlessDenied(left, subjectOf);
  return principal !== undefined && principal === principalUnlessDenied(right, subjectOf);
}
