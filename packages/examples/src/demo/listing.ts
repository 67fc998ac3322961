/** Prints an exchange as it happens. */
import { cut, type Line } from './message-reader.ts';
import { paint } from './paint.ts';

const WIDTH = 100;
const WHO = { 'to-server': paint('cyan', 'client → server'), 'to-client': paint('yellow', 'client ← server') };
const METHOD_WIDTH = 26;

export interface Listing {
  title(title: string, story: string): void;
  line(line: Line): void;
}

export function createListing(): Listing {
  return {
    title: printTitle,
    line({ direction, depth, what, content }) {
      const room = WIDTH - '  client → server  '.length - METHOD_WIDTH;
      const method = `${'  '.repeat(depth)}${what} `.padEnd(METHOD_WIDTH);
      console.log(`  ${WHO[direction]}  ${paint('bold', method)}${cut(content, room)}`.trimEnd());
    },
  };
}

export function printTitle(title: string, story: string): void {
  console.log(`\n${paint('bold', title)}`);
  if (story !== '') console.log(paint('dim', story));
}
