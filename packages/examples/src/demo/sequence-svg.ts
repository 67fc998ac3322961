/** Two exchanges side by side, each as an SVG sequence: the client on the left, the server on the right. */
import { cut, type Line } from './message-reader.ts';

export interface Sequence {
  readonly title: string;
  readonly lines: readonly Line[];
}

const PANEL = 440;
const GAP = 40;
const MARGIN = 24;
/** Of the first message, and from one to the next. */
const [TOP, ROW] = [104, 46];
const [CLIENT, SERVER] = [56, PANEL - 56];
const LONGEST_TEXT = 54;
const COLOURS = { 'to-server': '#0b6e99', 'to-client': '#a15c00' } as const;

export function drawSequences(sequences: readonly Sequence[]): string {
  const rows = Math.max(...sequences.map(({ lines }) => lines.length));
  const width = 2 * MARGIN + sequences.length * PANEL + (sequences.length - 1) * GAP;
  const height = TOP + rows * ROW + MARGIN;
  const panels = sequences.map(({ title, lines }, index) => {
    const at = MARGIN + index * (PANEL + GAP);
    return `<g transform="translate(${at} 0)">\n${panel(title, lines, height).join('\n')}\n</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function panel(title: string, lines: readonly Line[], height: number): string[] {
  const ends = [
    [CLIENT, 'client'],
    [SERVER, 'server'],
  ] as const;
  return [
    `<text x="${PANEL / 2}" y="30" text-anchor="middle" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...ends.flatMap(([x, name]) => [
      `<rect x="${x - 40}" y="46" width="80" height="26" rx="4" fill="#f2f2f2" stroke="#8a8a8a"/>`,
      `<text x="${x}" y="63" text-anchor="middle">${name}</text>`,
      `<line x1="${x}" y1="72" x2="${x}" y2="${height - MARGIN}" stroke="#b5b5b5"/>`,
    ]),
    ...lines.flatMap((line, index) => arrow(line, TOP + index * ROW)),
  ];
}

function arrow({ direction, what, content }: Line, y: number): string[] {
  const colour = COLOURS[direction];
  const [from, to, head] =
    direction === 'to-server' ? [CLIENT, SERVER - 8, `${SERVER},${y}`] : [SERVER, CLIENT + 8, `${CLIENT},${y}`];
  return [
    `<text x="${PANEL / 2}" y="${y - 6}" text-anchor="middle" fill="${colour}" font-weight="600">${escaped(what.replace('└ ', ''))}</text>`,
    `<line x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke="${colour}" stroke-width="1.5"/>`,
    `<polygon points="${head} ${to},${y - 4} ${to},${y + 4}" fill="${colour}"/>`,
    `<text x="${PANEL / 2}" y="${y + 15}" text-anchor="middle" fill="#444444" font-size="12">${escaped(cut(content, LONGEST_TEXT))}</text>`,
  ];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
