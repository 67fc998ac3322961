/** Which clients something is said of: `handshake: none, form; modern: all`. */
import type { Era } from '../../core/revision.ts';
import type { Row } from './model.ts';

const ERAS: readonly Era[] = ['handshake', 'modern'];

export function placesOf(rows: readonly Row[]): string {
  return ERAS.map((era) => [era, rows.filter((row) => row.era === era).map(({ client }) => client)] as const)
    .filter(([, clients]) => clients.length > 0)
    .map(([era, clients]) => `${era}: ${clients.join(', ')}`)
    .join('; ');
}
