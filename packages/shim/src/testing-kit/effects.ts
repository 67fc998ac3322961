/** Side effects of one call, as its code tells of them, and where in the call they happened. */
import { isJsonObject } from '../core/json.ts';
import { wrongType } from '../core/option-checks.ts';
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
  /** The run of the handler it happened in, from 0. */
  readonly run: number;
  /** The question that was asked next; undefined where none was. */
  before: Question | undefined;
  readonly isAfterRefusal: boolean;
}

export class EffectLog {
  readonly all: NotedEffect[] = [];
  readonly #probe: Probe | undefined;
  #counts: Readonly<Record<string, number>>;
  #run = 0;
  #known = 0;
  #isAfterRefusal = false;

  constructor(probe?: Probe) {
    this.#probe = probe;
    this.#counts = readProbe(probe);
  }

  readonly note = (name: string): void => {
    if (typeof name !== 'string' || name === '') throw wrongType('name', 'the name of a side effect', name);
    this.all.push({ name, run: this.#run, before: undefined, isAfterRefusal: this.#isAfterRefusal });
  };

  /** A question came: what happened since the last one happened before it. */
  noteQuestion(question: Question): void {
    this.take();
    for (const effect of this.all.slice(this.#known)) effect.before = question;
    this.#known = this.all.length;
  }

  /** The person is about to say no. */
  noteRefusal(): void {
    this.#isAfterRefusal = true;
  }

  /** The handler is about to run again. */
  startRun(): void {
    this.take();
    this.#run += 1;
  }

  /** Takes what the probe sees up to now. */
  take(): void {
    const counts = readProbe(this.#probe);
    for (const [name, count] of Object.entries(counts)) {
      for (let seen = this.#counts[name] ?? 0; seen < count; seen += 1) this.note(name);
    }
    this.#counts = counts;
  }
}

function readProbe(probe: Probe | undefined): Readonly<Record<string, number>> {
  if (probe === undefined) return {};
  const counts: unknown = probe();
  if (!isJsonObject(counts)) throw wrongType('what probe returns', 'an object of counters', counts);
  for (const [name, count] of Object.entries(counts)) {
    if (!Number.isSafeInteger(count))
      throw wrongType(`the counter ${JSON.stringify(name)} of probe`, 'a whole number', count);
  }
  return { ...counts } as Record<string, number>;
}
