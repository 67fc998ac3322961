/** Finds secrets in what a server said, also where it wrote them in another way, and puts `***` in their place. */

export const MASK = '***';
/** Of a longer secret, this much and whatever follows it without a space: no pattern grows beyond all bounds. */
const MOST_LETTERS = 200;
/** Likewise of base64 and hex, where the whole run is masked that has it. */
const MOST_BYTES = 150;
/** Fewer letters are found by chance in base64. */
const SHORTEST_CODED = 5;
/** In base64, plain or for URLs, and in hex. */
const CODED_RUN = /[A-Za-z\d+/_-]{5,}={0,2}/g;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** @param secrets - the longest first. */
export function maskerOf(secrets: readonly string[]): (text: string) => string {
  const patterns = secrets.map(patternOf);
  const cores = secrets.flatMap(coresOf);
  const hexes = secrets.map((secret) => bytesOf(secret).toString('hex')).filter((hex) => hex.length >= 8);
  const isCoded = (run: string): boolean => {
    const plain = run.replaceAll('-', '+').replaceAll('_', '/');
    const lower = run.toLowerCase();
    return cores.some((core) => plain.includes(core)) || hexes.some((hex) => lower.includes(hex));
  };
  return (text) => {
    if (secrets.length === 0) return text;
    const plain = patterns.reduce((masked, pattern) => masked.replace(pattern, MASK), text);
    return plain.replace(CODED_RUN, (run) => (isCoded(run) ? MASK : run));
  };
}

/** Each of its letters as it is, or as URLs, JSON and HTML have it. */
function patternOf(secret: string): RegExp {
  const letters = [...secret];
  const spelt = letters.slice(0, MOST_LETTERS).map((letter) => `(?:${spellingsOf(letter).map(escaped).join('|')})`);
  const rest = letters.length > MOST_LETTERS ? '\\S*' : '';
  // A short one is masked as a word, not inside of others.
  const [start, end] = letters.length < 4 ? ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] : ['', ''];
  return new RegExp(`${start}${spelt.join('')}${rest}${end}`, 'gu');
}

function spellingsOf(letter: string): string[] {
  const percent = [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const spellings = [letter, percent, percent.toUpperCase()];
  if (/^[A-Za-z\d]$/.test(letter)) return spellings;
  const units = Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index));
  const unicode = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const code = letter.codePointAt(0) ?? 0;
  const numbered = [`&#${code};`, `&#0${code};`, `&#x${code.toString(16)};`, `&#x${code.toString(16).toUpperCase()};`];
  return [
    ...spellings,
    JSON.stringify(letter).slice(1, -1),
    unicode,
    unicode.replaceAll(/[\da-f]{4}/g, (digits) => digits.toUpperCase()),
    ...numbered,
    ...(letter === ' ' ? ['+'] : []),
    ...(letter === '/' ? ['\\/'] : []),
    ...(ENTITIES[letter] === undefined ? [] : [ENTITIES[letter]]),
  ];
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(secret).subarray(0, MOST_BYTES);
}

function escaped(text: string): string {
  return text.replaceAll(SYNTAX, '\\$&');
}

/** What of its base64 is the same whatever stands before and after it: one for each way it can lie on the six bits. */
function coresOf(secret: string): string[] {
  return [0, 1, 2]
    .map((shift) => {
      const bytes = Buffer.concat([Buffer.alloc(shift), bytesOf(secret)]);
      return bytes.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
    })
    .filter((core) => core.length >= SHORTEST_CODED);
}
