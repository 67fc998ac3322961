/** Which of what the person gave is a secret: its value must not come back in the report, whatever the server says. */
import type { Target } from './step.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter ones are in every other word. */
const SHORTEST = 3;
/** So that a mask takes bounded time; the longest are kept. */
const MOST = 200;
/** Words that nobody keeps to himself, and without which a report cannot be read. */
const HARMLESS = /^(?:true|false|yes|null|none|undefined|off|json|text|html|utf-?8|https?|stdio|sse|\d{1,3})$/i;
/** Of an Authorization header. */
const SCHEME = /^(?:basic|bearer|digest|token|negotiate|apikey)$/i;
const SECRET_WORDS =
  /^(?:(?:api|access|secret|private)?keys?|tokens?|secrets?|passw(?:or)?d|pass(?:phrase)?|pwd|credentials?|auth|authorization|bearer|cookies?|dsn|jwt|pat|signature)$/i;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const URL_IN_TEXT = /\bhttps?:\/\/[^\s'"]+/g;
const CREDENTIALS_IN_URL = /:\/\/[^/\s:@]*:([^/\s@]+)@/g;

/** The secrets that were given with `target`, the longest first. */
export function secretsOf(target: Target, env: Environment): string[] {
  const given =
    target.kind === 'http'
      ? [...target.headers.flatMap(([, value]) => ofHeader(value)), ...ofUrl(target.url)]
      : [...ofArguments(target.args), ...ofEnvironment(env)];
  const fit = given.map((secret) => secret.trim()).filter((secret) => secret.length >= SHORTEST);
  const secrets = new Set(fit.filter((secret) => !HARMLESS.test(secret)));
  return [...secrets].sort((left, right) => right.length - left.length).slice(0, MOST);
}

/** Letters and digits in a row that is too long for a word, as keys have them. */
export function looksRandom(text: string): boolean {
  if (UUID.test(text)) return true;
  return (text.match(/[A-Za-z\d]{16,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}

/** Whole, and in its parts: the token behind `Bearer`, the password in `Basic`, the values of cookies. */
function ofHeader(value: string): string[] {
  const parts = value.split(/[\s;,]+/);
  const isBasic = /^basic$/i.test(parts[0] ?? '');
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(isBasic ? Buffer.from(parts[1] ?? '', 'base64').toString() : '') ?? [];
  const values = parts.map((part) => /^[^=]+=(.*[^=].*)$/.exec(part)?.[1]?.replaceAll('"', '') ?? '');
  return [value, ...parts.filter((part) => !SCHEME.test(part)), ...values, password];
}

/** The password, what is in the query, and what looks like a key in the path. */
function ofUrl({ password, searchParams, pathname }: URL): string[] {
  // A key may stand there alone.
  const query = [...searchParams].map(([name, value]) => (value === '' ? name : value));
  return [decoded(password), ...query, ...pathname.split('/').filter(looksRandom)];
}

function ofText(text: string): string[] {
  const urls = (text.match(URL_IN_TEXT) ?? []).filter((url) => URL.canParse(url));
  const passwords = [...text.matchAll(CREDENTIALS_IN_URL)].map(([, password = '']) => decoded(password));
  return [...urls.flatMap((url) => ofUrl(new URL(url))), ...passwords];
}

/** What follows a flag with the name of a secret, `NAME=value` likewise, headers, URLs, and what looks like a key. */
function ofArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const before = args[index - 1] ?? '';
    const isHeader = /^(?:-H|--headers?)$/.test(before);
    const [, header = arg] = isHeader ? (/^[^:\s]+:\s*(.*)$/.exec(arg) ?? []) : [];
    // A script for a shell is one argument with many words.
    const words = arg
      .split(/[\s'";]+/)
      .flatMap((word, place, all) => ofWord(word, place === 0 ? before : all[place - 1]));
    return [...(isHeader ? ofHeader(header) : []), ...words, ...ofText(arg)];
  });
}

function ofWord(word: string, before = ''): string[] {
  const [, name = '', value = ''] = /^-{0,2}([\w.-]+)[=:](.*)$/s.exec(word) ?? [];
  const isNamed = /^-/.test(before) && !before.includes('=') && isSecretName(before) && !word.startsWith('-');
  if (isNamed) return [word];
  if (value !== '' && (isSecretName(name) || looksRandom(value))) return [value];
  return looksRandom(word) && !/[\\/]/.test(word) ? [word] : [];
}

function ofEnvironment(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name) && !/^(?:OLD)?PWD$/.test(name) ? [value, ...ofText(value)] : ofText(value),
  );
}

/** `API_KEY`, `--auth-token`, `dbPassword`. */
function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/);
  return words.some((word) => SECRET_WORDS.test(word));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign.
    return text;
  }
}
