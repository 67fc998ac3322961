/** Checks what a person typed for a field, as soon as it is typed. */
import { type Choice, choicesOf, type FormField, type Value } from './form-field.ts';

export type Entry = { readonly value: Value } | { readonly wrong: string };

// #region check
/** The value that `text` stands for, or what is wrong with it. */
export function readEntry(field: FormField, text: string): Entry {
  const choices = choicesOf(field);
  if (field.type === 'array') return readChoices(field, text, choices ?? []);
  if (choices !== undefined) return readChoice(text, choices);
  if (field.type === 'boolean') return readBoolean(text);
  return field.type === 'string' ? readString(field, text) : readNumber(field, text);
}
// #endregion check

function readString({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, format }: FormField, text: string): Entry {
  const { length } = [...text];
  if (length < minLength) return { wrong: `This has ${length} characters, and needs at least ${minLength}.` };
  if (length > maxLength) return { wrong: `This has ${length} characters, and may have at most ${maxLength}.` };
  const hasFormat = FORMATS.get(format ?? '');
  return hasFormat === undefined || hasFormat(text) ? { value: text } : { wrong: `This is no ${format}.` };
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
const isTime = (text: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(text);

const FORMATS = new Map<string, (text: string) => boolean>([
  ['email', (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)],
  ['uri', (text) => URL.canParse(text)],
  ['date', isDay],
  ['date-time', (text) => isDay(text.slice(0, 10)) && text[10] === 'T' && isTime(text.slice(11))],
]);

function readNumber({ type, minimum, maximum }: FormField, text: string): Entry {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return { wrong: 'This is no number.' };
  if (type === 'integer' && !Number.isInteger(value)) return { wrong: 'This is no whole number.' };
  if (minimum !== undefined && value < minimum) return { wrong: `This is less than ${minimum}.` };
  if (maximum !== undefined && value > maximum) return { wrong: `This is more than ${maximum}.` };
  return { value };
}

function readBoolean(text: string): Entry {
  if (/^(y|yes)$/i.test(text)) return { value: true };
  return /^(n|no)$/i.test(text) ? { value: false } : { wrong: 'Type yes or no.' };
}

/** By its number in the list, its title, or its name. */
function readChoice(text: string, choices: readonly Choice[]): Entry {
  const chosen = choices.find((choice, index) => [`${index + 1}`, choice.title, choice.const].includes(text));
  return chosen === undefined ? { wrong: `"${text}" is not in the list.` } : { value: chosen.const };
}

function readChoices({ minItems = 0, maxItems }: FormField, text: string, choices: readonly Choice[]): Entry {
  const chosen = new Set<string>();
  for (const part of text.split(',')) {
    const entry = readChoice(part.trim(), choices);
    if ('wrong' in entry) return entry;
    chosen.add(String(entry.value));
  }
  if (chosen.size < minItems) return { wrong: `Choose at least ${minItems}.` };
  if (maxItems !== undefined && chosen.size > maxItems) return { wrong: `Choose at most ${maxItems}.` };
  return { value: [...chosen] };
}
