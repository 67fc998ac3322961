/** Reads off what two runs have noted which side effects happened again, and which after a refusal. */
import type { NotedEffect } from './effects.ts';
import { describeQuestion } from './question.ts';
import type { Question } from './transcript.ts';

export interface EraCounts {
  /** How often it happened in the whole call. */
  readonly times: number;
  /** The runs of the handler in which it happened, from 0. */
  readonly runs: readonly number[];
}

export interface RepeatedEffect {
  readonly name: string;
  /** The first script in which it was seen: `as written`, or a variant. */
  readonly script: string;
  readonly handshake: EraCounts;
  readonly modern: EraCounts;
  /** The question that it sits before, and happens again with. */
  readonly before?: Question;
  /** What to do about it. */
  readonly cure: string;
}

type Noted = readonly NotedEffect[];

interface RepeatedEffects {
  readonly repeated: readonly RepeatedEffect[];
  /** Counters of a probe that rose in more than one run. */
  readonly maybe: readonly RepeatedEffect[];
}

/** The effects that happened in more than one run of the handler, in one era or in both. */
export function repeatedEffects(script: string, handshake: Noted, modern: Noted): RepeatedEffects {
  const those = (isProbed: boolean): RepeatedEffect[] => {
    const only = (noted: Noted): Noted => noted.filter((effect) => effect.isProbed === isProbed);
    return effectsInRuns(script, only(handshake), only(modern));
  };
  const maybe = those(true).map((effect) => ({ ...effect, cure: cureOfCounter(effect) }));
  return { repeated: those(false), maybe };
}

function effectsInRuns(script: string, handshake: Noted, modern: Noted): RepeatedEffect[] {
  const names = [...new Set([...handshake, ...modern].map(({ name }) => name))];
  return names.flatMap((name) => {
    const counts = { handshake: countsOf(name, handshake), modern: countsOf(name, modern) };
    if (counts.handshake.runs.length < 2 && counts.modern.runs.length < 2) return [];
    const all = [...modern, ...handshake];
    const before = all.find((effect) => effect.name === name && effect.before !== undefined)?.before;
    return [{ name, script, ...counts, ...(before === undefined ? {} : { before }), cure: cureOf(before) }];
  });
}

/** The names of the effects after a refusal that had not happened before it. */
export function effectsAfterRefusal(noted: Noted): string[] {
  const before = new Set(noted.filter(({ isAfterRefusal }) => !isAfterRefusal).map(({ name }) => name));
  const after = noted.filter(({ isAfterRefusal }) => isAfterRefusal).map(({ name }) => name);
  return [...new Set(after)].filter((name) => !before.has(name));
}

function countsOf(name: string, noted: Noted): EraCounts {
  const own = noted.filter((effect) => effect.name === name);
  return {
    times: own.reduce((sum, { times }) => sum + times, 0),
    runs: [...new Set(own.map(({ run }) => run))].sort((left, right) => left - right),
  };
}

function cureOf(before: Question | undefined): string {
  const where = before === undefined ? 'an ask' : `question ${describeQuestion(before)}`;
  return (
    `It happens before ${where}, and again each time the handler runs: ` +
    'move it below the last question, or put it under once(extra, key, fn)'
  );
}

/** A counter does not tell whether it was the same effect that happened again. */
function cureOfCounter({ name, handshake, modern }: RepeatedEffect): string {
  const { runs } = modern.runs.length > 1 ? modern : handshake;
  return (
    `It may have happened again: the counter rose in runs ${runs.map((run) => run + 1).join(' and ')}. ` +
    `Two effects that both move ${JSON.stringify(name)} look the same: effects.note(name) tells them apart`
  );
}
