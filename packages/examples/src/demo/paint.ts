/** Colour for a terminal that has it; none where the output goes elsewhere, or where NO_COLOR asks for none. */

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof STYLES;

const isColoured = process.stdout.isTTY && process.stdout.hasColors();

export function paint(style: Style, text: string): string {
  return isColoured ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
}
