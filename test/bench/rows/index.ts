/** Every row, in the order of the table. Loaded one at a time: each is measured in a process of its own. */
import type { Row } from '../support/figure.ts';

export const rows: Readonly<Record<string, () => Promise<{ readonly row: Row }>>> = {
  'no-ask': () => import('./no-ask.ts'),
  'one-round': () => import('./one-round.ts'),
  'three-asks': () => import('./three-asks.ts'),
  'schema-literal': () => import('./schema-literal.ts'),
  'request-state': () => import('./request-state.ts'),
  codec: () => import('./codec.ts'),
  'bytes-per-held-call': () => import('./bytes-per-held-call.ts'),
  'answer-held-calls': () => import('./answer-held-calls.ts'),
  'http-ask': () => import('./http-ask.ts'),
  'modern-call': () => import('./modern-call.ts'),
  'bundle-size': () => import('./bundle-size.ts'),
};
