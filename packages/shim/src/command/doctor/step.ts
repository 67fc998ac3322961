/** What a look at one server has in common: where it is, how long a step may take, and how its words may be told. */

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

export function allUsedUp(): TimeUp {
  return new TimeUp(`the ${MOST_STEPS} x --timeout for all steps were used up`);
}

/** Runs one step. @throws TimeUp when it takes longer than `timeout`, or the whole has taken too long. */
export async function step<Result>(look: Look, run: () => Promise<Result>): Promise<Result> {
  let stop: () => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const outOfTime = (): void => reject(allUsedUp());
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
