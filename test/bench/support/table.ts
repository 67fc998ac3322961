/** The bench's output. */
import { type Figure, isReached, type Spread } from './figure.ts';

const HEADINGS = ['row', 'bound', 'median', 'quartiles', 'bare/bare', 'verdict'];

/** The figures as a table of text. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = [HEADINGS, ...figures.flatMap((figure) => [lineOf(figure), ...otherLines(figure)])];
  const widths = HEADINGS.map((_heading, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function lineOf(figure: Figure): string[] {
  const { name, unit, bound, shim, noise } = figure;
  const suffix = unit === 'ratio' || unit === 'names' ? '' : ` ${unit}`;
  return [
    name,
    `<= ${bound}${suffix}`,
    `${rounded(shim.median)}${suffix}`,
    range(shim),
    noise === undefined ? '' : `${rounded(noise.median)} (${range(noise)})`,
    isReached(figure) ? 'reached' : 'MISSED',
  ];
}

function otherLines({ others = [] }: Figure): string[][] {
  return others.map(({ name, spread }) => [`  ${name}`, '', rounded(spread.median), range(spread), '', '']);
}

function range({ lower, upper }: Spread): string {
  return lower === upper ? '' : `${rounded(lower)} to ${rounded(upper)}`;
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Number.isInteger(value) ? 0 : 3);
}
