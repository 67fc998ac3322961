/** Whether a handler, which runs again for every round, has its side effects happen again with it. */
import { callback, object } from '../core/option-checks.ts';
import type { Era } from '../modern/inbound.ts';
import { requireFactory } from '../serving/create-server.ts';
import { answerSource } from './answer-source.ts';
import { EffectLog, type NotedEffect, type Probe } from './effects.ts';
import type { RunInput } from './era-run.ts';
import { runHandshake } from './handshake-run.ts';
import type { TestFactory } from './make-server.ts';
import { runModern } from './modern-run.ts';
import { effectsAfterRefusal, type RepeatedEffect, repeatedEffects } from './repeated-effects.ts';
import { resolveScript, type Script } from './script.ts';
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

export interface ReentrancyRun {
  /** `as written`, `declined at question 2`, `gone at question 2`. */
  readonly script: string;
  readonly handshake: Transcript;
  readonly modern: Transcript;
}

export interface Reentrancy {
  /** Effects that happened in more than one run of the handler in one call. */
  readonly repeated: readonly RepeatedEffect[];
  /** For information: what happened after a refusal, and had not happened before it. */
  readonly afterRefusal: readonly RefusedEffect[];
  readonly runs: readonly ReentrancyRun[];
}

interface Played extends ReentrancyRun {
  readonly noted: Readonly<Record<Era, readonly NotedEffect[]>>;
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
    return { script: name, handshake, modern, noted: { handshake: old.effects.all, modern: next.effects.all } };
  };
  const asWritten = await play(AS_WRITTEN);
  const played = [asWritten];
  const questions = Math.max(questionsIn(asWritten.handshake), questionsIn(asWritten.modern));
  for (const variant of variantsOf(questions)) played.push(await play(variant));
  return {
    repeated: firstOfEach(
      played.flatMap(({ script: name, noted }) => repeatedEffects(name, noted.handshake, noted.modern)),
    ),
    afterRefusal: played.flatMap(refusedEffects),
    runs: played.map(({ noted: _noted, ...run }) => run),
  };
}

function refusedEffects({ script, noted }: Played): RefusedEffect[] {
  return (['handshake', 'modern'] as const).flatMap((era) =>
    effectsAfterRefusal(noted[era]).map((name) => ({ name, era, script })),
  );
}

function firstOfEach(effects: readonly RepeatedEffect[]): RepeatedEffect[] {
  return effects.filter(({ name }, index) => effects.findIndex((other) => other.name === name) === index);
}

function questionsIn({ steps }: Transcript): number {
  return steps.filter(({ type }) => type === 'question').length;
}
