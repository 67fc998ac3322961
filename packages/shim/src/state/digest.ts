/** Stands for a JSON value where the value itself would be too long, or is nobody's business. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.ts';

/** SHA-256 of `value` in canonical JSON, as base64url: equal for equal values, whatever the order of their members. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}
