/** One script, played in both eras. */
import { requireFactory } from '../serving/create-server.ts';
import { type AnswerSource, answerSource } from './answer-source.ts';
import { type Difference, differencesOf } from './differences.ts';
import { EffectLog } from './effects.ts';
import { runHandshake } from './handshake-run.ts';
import type { TestFactory } from './make-server.ts';
import { runModern } from './modern-run.ts';
import { resolveScript, type Script } from './script.ts';
import type { Transcript } from './transcript.ts';

export interface BothEras {
  readonly handshake: Transcript;
  readonly modern: Transcript;
  /** What a handler and a person see in one era and not in the other; empty where there is nothing. */
  readonly differences: readonly Difference[];
  /** The answers of the script that a run has not used, each with its era: `modern: answers[1] (accept)`. */
  readonly unused: readonly string[];
}

/**
 * Plays `script` against the server that `factory` makes: over a handshake connection of revision 2025-11-25, then as
 * a client on 2026-07-28, through `createMcpHandler`. Each run has a clock of its own, which only the script moves, and
 * leaves nothing behind.
 *
 * @throws TypeError when an argument has the wrong type, RangeError when it is out of bounds.
 * @throws Error when a question has no answer in the script, when the server says nothing more, or when
 * `@modelcontextprotocol/server` is not installed.
 */
export async function runOnBothEras(factory: TestFactory, script: Script): Promise<BothEras> {
  requireFactory(factory as Parameters<typeof requireFactory>[0]);
  const resolved = resolveScript(script);
  const sources = { handshake: answersFor('handshake'), modern: answersFor('modern') };
  const start = (answers: AnswerSource) => ({ factory, script: resolved, answers, effects: new EffectLog() });
  const handshake = await runHandshake(start(sources.handshake));
  const modern = await runModern(start(sources.modern));
  const differences = differencesOf(handshake, modern);
  const unused = Object.entries(sources).flatMap(([era, source]) => source.unused().map((name) => `${era}: ${name}`));
  return { handshake, modern, differences, unused };

  function answersFor(era: string): AnswerSource {
    return answerSource(resolved.answers, era);
  }
}
