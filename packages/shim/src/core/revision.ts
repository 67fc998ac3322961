/** What each revision of the protocol can say of a question. Revisions are dates, so they compare as text. */
import type { AskKind } from './embedded-request.ts';

/** The protocol revisions of the handshake era, oldest first, and the modern one. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** The revisions with a handshake, or the modern one. */
export type Era = 'handshake' | 'modern';

/** The modern one. */
export const MODERN_REVISION = '2026-07-28';

/** The newest of the handshake era, which SDK v1 speaks from 1.25 on. */
export const NEWEST_HANDSHAKE_REVISION = '2025-11-25';

/** Whether `revision` has elicitation at all (from 2025-06-18). */
export function hasElicitation(revision: string): boolean {
  return revision >= '2025-06-18';
}

/**
 * Whether `revision` has what came with 2025-11-25: elicitation modes, URL mode, multiple choice, titled choices,
 * a default on every field, sampling with tools, and messages of several blocks.
 */
export function hasElicitationModes(revision: string): boolean {
  return revision >= '2025-11-25';
}

/** Whether URL mode has an `elicitationId` and a notification of its end: 2025-11-25 alone. */
export function hasElicitationIds(revision: string | undefined): boolean {
  return revision === '2025-11-25';
}

/** Whether sampling messages may carry audio (from 2025-03-26). */
export function hasAudio(revision: string): boolean {
  return revision >= '2025-03-26';
}

/** Whether `revision` has questions of this kind. */
export function hasKind(revision: string, kind: AskKind): boolean {
  if (kind === 'form') return hasElicitation(revision);
  if (kind === 'url' || kind === 'sampling.tools') return hasElicitationModes(revision);
  return true;
}
