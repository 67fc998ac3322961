/** Prints what one step was like in both eras: the handshake client's messages on the left, the modern one's on the right. */
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from './exchange.ts';
import { printTitle } from './listing.ts';
import { cut, type Line } from './message-reader.ts';
import { paint } from './paint.ts';

const COLUMN = 47;
const ARROWS = { 'to-server': paint('cyan', '→'), 'to-client': paint('yellow', '←') };

/** @returns whether both came to the same result, by the same questions. */
export function printSideBySide(handshake: Outcome, modern: Outcome): boolean {
  const isEqual =
    isDeepStrictEqual(handshake.result, modern.result) && isDeepStrictEqual(handshake.questions, modern.questions);
  printTitle(handshake.title, '');
  console.log(paint('dim', `  ${'up to 2025-11-25'.padEnd(COLUMN)} │ 2026-07-28`));
  const left = cellsOf(handshake.lines);
  const right = cellsOf(modern.lines);
  for (let row = 0; row < Math.max(left.length, right.length); row += 1) {
    const cell = left[row] ?? ' '.repeat(COLUMN);
    console.log(`  ${cell}${paint('dim', ' │ ')}${right[row] ?? ''}`.trimEnd());
  }
  console.log(isEqual ? `  ${paint('green', '=')} equal results` : `  ${paint('red', '≠')} the results differ`);
  return isEqual;
}

/** Lines as wide as a column. How deep they are counts from the first one. */
function cellsOf(lines: readonly Line[]): string[] {
  const outermost = lines[0]?.depth ?? 0;
  return lines.map(({ direction, depth, what, content }) => {
    const method = `${'  '.repeat(depth - outermost)}${what}`;
    const text = cut(content, COLUMN - method.length - 3);
    const padding = ' '.repeat(COLUMN - method.length - 3 - text.length);
    return `${ARROWS[direction]} ${paint('bold', method)} ${text}${padding}`;
  });
}
