/** Side effects of one call, as its code tells of them, and where in the call they happened. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isJsonObject } from '../core/json.ts';
import { wrongType } from '../core/option-checks.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import type { Question } from './transcript.ts';

/** What a factory gets to tell of side effects: hand it to the handler, or to the fakes that stand in for the world. */
export interface Effects {
  /** Tells that the side effect `name` happens now. Two effects that are to be told apart have two names. */
  readonly note: (name: string) => void;
}

/** Reads counters, such as the mails that a fake mailer has sent: what grows is an effect of that name. */
export type Probe = () => Readonly<Record<string, number>>;

export interface NotedEffect {
  readonly name: string;
  /** How often: a counter may have grown by more than one. */
  readonly times: number;
  /** Seen by a probe, which cannot tell two effects of one counter apart. */
  readonly isProbed: boolean;
  /** The run of the handler it happened in, from 0. */
  readonly run: number;
  /** The question that was asked next; undefined where none was. */
  before: Question | undefined;
  readonly isAfterRefusal: boolean;
}

/** Where code runs: in a run of the handler, or in the factory until that has made its server. */
interface Scope {
  readonly log: EffectLog;
  readonly run: number;
  isMaking: boolean;
}

// Handed on by the platform to whatever the code starts, so that an effect that nobody awaits still knows its run.
const scopes = new AsyncLocalStorage<Scope>();

export class EffectLog {
  readonly all: NotedEffect[] = [];
  /** The names of what the factory did, once for each time. */
  readonly ofFactory: string[] = [];
  readonly #probe: Probe | undefined;
  #counts: Readonly<Record<string, number>>;
  #run = 0;
  #known = 0;
  #refusedIn = Number.POSITIVE_INFINITY;
  /** The first question that was asked since the start of each run. */
  readonly #asked = new Map<number, Question>();

  constructor(probe?: Probe) {
    this.#probe = probe;
    this.#counts = readProbe(probe);
  }

  readonly note = (name: string): void => {
    if (typeof name !== 'string' || name === '') throw wrongType('name', 'the name of a side effect', name);
    const scope = scopes.getStore();
    const isOwn = scope?.log === this;
    if (isOwn && scope.isMaking) this.ofFactory.push(name);
    else this.#add({ name, times: 1, isProbed: false, run: isOwn ? scope.run : this.#run });
  };

  /** Runs `make`, the factory, whose effects are no handler's. */
  async making<Made>(make: () => Made | Promise<Made>): Promise<Made> {
    this.take();
    const scope: Scope = { log: this, run: this.#run, isMaking: true };
    try {
      return await scopes.run(scope, make);
    } finally {
      scope.isMaking = false;
      const counts = readProbe(this.#probe);
      for (const [name] of risen(this.#counts, counts)) this.ofFactory.push(name);
      this.#counts = counts;
    }
  }

  /** Runs `run`, which starts the handler: what comes of it belongs to the run that is on. */
  inRun(run: () => void): void {
    scopes.run({ log: this, run: this.#run, isMaking: false }, run);
  }

  /** A question came: what happened since the last one happened before it. */
  noteQuestion(question: Question): void {
    this.take();
    for (const effect of this.all.slice(this.#known)) effect.before ??= question;
    this.#known = this.all.length;
    if (!this.#asked.has(this.#run)) this.#asked.set(this.#run, question);
  }

  /** The person is about to say no. */
  noteRefusal(): void {
    this.#refusedIn = Math.min(this.#refusedIn, this.#run);
  }

  /** The handler has asked, and will run again: what it asks is asked between the runs. */
  startRun(): void {
    this.take();
    this.#run += 1;
  }

  /** Takes what the probe sees up to now. */
  take(): void {
    const counts = readProbe(this.#probe);
    for (const [name, times] of risen(this.#counts, counts)) this.#add({ name, times, isProbed: true, run: this.#run });
    this.#counts = counts;
  }

  #add(effect: Pick<NotedEffect, 'name' | 'times' | 'isProbed' | 'run'>): void {
    // Of a run that is over, it came late: the question after it has been asked already.
    const before = effect.run < this.#run ? this.#asked.get(effect.run + 1) : undefined;
    this.all.push({ ...effect, before, isAfterRefusal: effect.run >= this.#refusedIn });
  }
}

function risen(from: Readonly<Record<string, number>>, to: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(to).flatMap(([name, count]): [string, number][] => {
    const rise = count - (from[name] ?? 0);
    return rise > 0 ? [[name, rise]] : [];
  });
}

function readProbe(probe: Probe | undefined): Readonly<Record<string, number>> {
  if (probe === undefined) return {};
  const counts: unknown = probe();
  if (isUnwantedPromise(counts))
    throw new TypeError('what probe returns must be an object of counters, not later but at once, got a promise');
  if (!isJsonObject(counts)) throw wrongType('what probe returns', 'an object of counters', counts);
  for (const [name, count] of Object.entries(counts)) {
    if (!Number.isSafeInteger(count))
      throw wrongType(`the counter ${JSON.stringify(name)} of probe`, 'a whole number', count);
  }
  return { ...counts } as Record<string, number>;
}
