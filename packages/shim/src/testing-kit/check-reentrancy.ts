/** Whether a handler, which runs again for every round, has its side effects happen again with it. */
import { callback, object } from '../core/option-checks.ts';
import type { Era } from '../core/revision.ts';
import { requireFactory } from '../serving/create-server.ts';
import { answerSource } from './answer-source.ts';
import { EffectLog, type Probe } from './effects.ts';
import type { RunInput } from './era-run.ts';
import { runHandshake } from './handshake-run.ts';
import type { TestFactory } from './make-server.ts';
import { runModern } from './modern-run.ts';
import { effectsAfterRefusal, type RepeatedEffect, repeatedEffects } from './repeated-effects.ts';
import { resolveScript, type Script } from './script.ts';
import { settle } from './script-clock.ts';
import type { Transcript } from './transcript.ts';
import { AS_WRITTEN, type Variant, variantsOf } from './variants.ts';

export interface CheckReentrancyOptions {
  /**
   * Reads counters, such as `() => ({ mails: mailer.sent.length })`: at the start and the end, and at each question. What
   * has grown is an effect of that name. @defaultValue none: effects are told by `context.effects.note(name)`
   */
  readonly probe?: Probe | undefined;
}

/** An effect that happened after the person had said no. It may well be meant. */
export interface RefusedEffect {
  readonly name: string;
  readonly era: Era;
  readonly script: string;
}

/** An effect of the factory, which makes one server for a handshake client, and one for each request of a modern one. */
export interface FactoryEffect {
  readonly name: string;
  readonly era: Era;
  /** How often, in the script as it is written. */
  readonly times: number;
}

export interface ReentrancyRun {
  /** `as written`, `declined at question 2`, `gone at question 2`. */
  readonly script: string;
  readonly handshake: Transcript;
  readonly modern: Transcript;
}

export interface Reentrancy {
  /** The names of the effects that were told of, in any run. Where it is empty, nothing was watched. */
  readonly noted: readonly string[];
  /** Effects, told by their names, that happened in more than one run of the handler in one call. */
  readonly repeated: readonly RepeatedEffect[];
  /** Counters of the probe that rose in more than one run: the same effect again, or another that moves the counter. */
  readonly maybe: readonly RepeatedEffect[];
  /** For information: what the factory did while it made a server, which is no handler's. */
  readonly ofFactory: readonly FactoryEffect[];
  /** For information: what happened after a refusal, and had not happened before it. */
  readonly afterRefusal: readonly RefusedEffect[];
  readonly runs: readonly ReentrancyRun[];
}

const ERAS = ['handshake', 'modern'] as const;

interface Played extends ReentrancyRun {
  readonly logs: Readonly<Record<Era, EffectLog>>;
}

/**
 * Plays `script` in both eras, as it is and cut off at each question, once by a refusal and once by a client that is gone,
 * and reports the side effects that happened again because the handler ran again. The factory is called anew for each
 * run: what it shares between its servers is shared between the runs too.
 *
 * @throws what `runOnBothEras` throws.
 */
export async function checkReentrancy(
  factory: TestFactory,
  script: Script,
  options: CheckReentrancyOptions = {},
): Promise<Reentrancy> {
  requireFactory(factory as Parameters<typeof requireFactory>[0]);
  object('options', options);
  const probe = callback('probe', options.probe);
  const resolved = resolveScript(script);
  const play = async ({ name, vary }: Variant): Promise<Played> => {
    const inputFor = (era: Era): RunInput => {
      const effects = new EffectLog(probe);
      return { factory, script: resolved, answers: vary(answerSource(resolved.answers, era), effects), effects };
    };
    const old = inputFor('handshake');
    const handshake = await runHandshake(old);
    // Not before: a probe reads counters that the run before moves.
    const next = inputFor('modern');
    const modern = await runModern(next);
    return { script: name, handshake, modern, logs: { handshake: old.effects, modern: next.effects } };
  };
  const asWritten = await play(AS_WRITTEN);
  const played = [asWritten];
  const questions = Math.max(questionsIn(asWritten.handshake), questionsIn(asWritten.modern));
  for (const variant of variantsOf(questions)) played.push(await play(variant));
  // Effects that nobody awaited.
  await settle();
  const found = played.map(({ script: name, logs }) => repeatedEffects(name, logs.handshake.all, logs.modern.all));
  const logs = played.flatMap(({ logs: { handshake, modern } }) => [handshake, modern]);
  return {
    noted: [...new Set(logs.flatMap(({ all }) => all.map(({ name }) => name)))],
    repeated: firstOfEach(found.flatMap(({ repeated }) => repeated)),
    maybe: firstOfEach(found.flatMap(({ maybe }) => maybe)),
    ofFactory: factoryEffects(asWritten),
    afterRefusal: played.flatMap(refusedEffects),
    runs: played.map(({ logs: _logs, ...run }) => run),
  };
}

function factoryEffects({ logs }: Played): FactoryEffect[] {
  return ERAS.flatMap((era) => {
    const { ofFactory } = logs[era];
    return [...new Set(ofFactory)].map((name) => ({
      ...{ name, era },
      times: ofFactory.filter((other) => other === name).length,
    }));
  });
}

function refusedEffects({ script, logs }: Played): RefusedEffect[] {
  return ERAS.flatMap((era) => effectsAfterRefusal(logs[era].all).map((name) => ({ name, era, script })));
}

function firstOfEach(effects: readonly RepeatedEffect[]): RepeatedEffect[] {
  return effects.filter(({ name }, index) => effects.findIndex((other) => other.name === name) === index);
}

function questionsIn({ steps }: Transcript): number {
  return steps.filter(({ type }) => type === 'question').length;
}
