/** What a look at one server has in common: where it is, how long a step may take, and how its words may be told. */
import { describeValue } from '../../core/json.ts';

export interface HttpTarget {
  readonly kind: 'http';
  readonly url: URL;
  /** Of the person's own: their values are never told. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface StdioTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
}

export type Target = HttpTarget | StdioTarget;

export interface Look<Where extends Target = Target> {
  readonly target: Where;
  /** For one step, in milliseconds. */
  readonly timeout: number;
  /** Aborts when the whole has taken too long. */
  readonly signal: AbortSignal;
  /** Something the server said, made fit to print: short, on one line, without what was to be kept secret. */
  readonly tell: (said: unknown, most?: number) => string;
  readonly progress: (line: string) => void;
}

/** The steps of one look may take this many times as long as one of them, all together. */
export const MOST_STEPS = 30;

/** Nothing came in time. */
export class TimeUp extends Error {}

/** Runs one step. @throws TimeUp when it takes longer than `timeout`, or the whole has taken too long. */
export async function step<Result>(look: Look, run: () => Promise<Result>): Promise<Result> {
  let stop: () => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const outOfTime = (): void => reject(new TimeUp(`the ${MOST_STEPS} x --timeout for all steps were used up`));
    const timer = setTimeout(() => reject(new TimeUp(`no answer within ${look.timeout} ms`)), look.timeout);
    look.signal.addEventListener('abort', outOfTime, { once: true });
    stop = () => {
      clearTimeout(timer);
      look.signal.removeEventListener('abort', outOfTime);
    };
    if (look.signal.aborted) outOfTime();
  });
  try {
    // What has been given up may still fail later.
    return await Promise.race([ended, look.signal.aborted ? ended : quiet(run())]);
  } finally {
    stop();
  }
}

function quiet<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

// Control characters, those that turn the direction of a line, and those that nobody sees.
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu;
const LONGEST = 200;
/** Shorter ones are in every other word. */
const SHORTEST_SECRET = 4;

/** `Look.tell`, for a server at `target`. */
export function teller(target: Target): Look['tell'] {
  const secrets = secretsOf(target).sort((left, right) => right.length - left.length);
  return (said, most = LONGEST) => {
    let text = typeof said === 'string' ? said : said instanceof Error ? said.message : describeValue(said);
    // What is cut off need not be looked at, but a secret must not be cut in two.
    text = text.slice(0, 100 * most);
    for (const secret of secrets) text = text.replaceAll(secret, '***');
    text = text.replaceAll(UNFIT, ' ').trim();
    const letters = [...text];
    return letters.length > most ? `${letters.slice(0, most).join('')}...` : text;
  };
}

function secretsOf(target: Target): string[] {
  if (target.kind === 'stdio') return [];
  const values = target.headers.map(([, value]) => value);
  // The token behind `Bearer`.
  const parts = values.flatMap((value) => value.split(/\s+/));
  const queries = [...target.url.searchParams.values()];
  const all = [...values, ...parts, ...queries, ...queries.map(encodeURIComponent)];
  return [...new Set(all)].filter((secret) => secret.length >= SHORTEST_SECRET);
}

/** Where the server is, without what may be secret there. */
export function nameOf(target: Target): string {
  if (target.kind === 'stdio') return target.command.replace(/^.*[\\/]/, '');
  const { origin, pathname, search } = target.url;
  return `${origin}${pathname}${search === '' ? '' : '?...'}`;
}
