/** The formats that a text field can have (spec: client/elicitation, requested schema). */
import type { StringField } from './embedded-request.ts';

type Format = NonNullable<StringField['format']>;

// No nested or adjacent unbounded repeats over the same characters: each takes time linear in the text.
const FORMATS: Readonly<Record<Format, { readonly pattern: RegExp; readonly name: string }>> = {
  email: {
    pattern:
      /^(?!\.)(?!.{0,64}\.[.@])[^\s@"(),:;<>[\\\]]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
    name: 'an e-mail address',
  },
  uri: { pattern: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s"<>\\^`{|}]+$/, name: 'a URI' },
  date: { pattern: /^(\d{4})-(\d\d)-(\d\d)$/, name: 'a date (YYYY-MM-DD)' },
  'date-time': {
    pattern:
      /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
    name: 'a date and time (RFC 3339)',
  },
};
const LONGEST_FORMATTED = 8_192;

export function isFormat(value: unknown): value is Format {
  return typeof value === 'string' && Object.hasOwn(FORMATS, value);
}

/** What is wrong with `value` as a text of `format`; undefined when nothing is. */
export function formatProblem(value: string, format: Format | undefined): string | undefined {
  if (format === undefined) return undefined;
  const { pattern, name } = FORMATS[format];
  const match = value.length > LONGEST_FORMATTED ? null : pattern.exec(value);
  const isFine = match !== null && (!format.startsWith('date') || isCalendarDay(match));
  return isFine ? undefined : `must be ${name}`;
}

function isCalendarDay(match: RegExpExecArray): boolean {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}
