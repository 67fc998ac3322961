/** A script cut off at each of its questions: by a person who says no, and by a client that is gone. */
import type { AnswerSource } from './answer-source.ts';
import { type Answer, decline, disconnect, fail } from './answers.ts';
import type { EffectLog } from './effects.ts';
import type { Question } from './transcript.ts';

export interface Variant {
  readonly name: string;
  /** The answers of the variant, made of those of the script. */
  readonly vary: (source: AnswerSource, effects: EffectLog) => AnswerSource;
}

export const AS_WRITTEN: Variant = { name: 'as written', vary: (source) => source };

/** Two for each of `questions` questions: the answers of the script before it, and a refusal or nothing from there on. */
export function variantsOf(questions: number): readonly Variant[] {
  return Array.from({ length: questions }, (_none, index) => index + 1).flatMap((number) => [
    { name: `declined at question ${number}`, vary: (source, effects) => declinedFrom(number, source, effects) },
    { name: `gone at question ${number}`, vary: (source) => goneAt(number, source) },
  ]);
}

function declinedFrom(number: number, source: AnswerSource, effects: EffectLog): AnswerSource {
  const next = (question: Question): Answer => {
    if (question.number < number) return source.next(question);
    effects.noteRefusal();
    return refusalOf(question);
  };
  return { ...source, next };
}

function goneAt(number: number, source: AnswerSource): AnswerSource {
  return { ...source, next: (question) => (question.number < number ? source.next(question) : disconnect()) };
}

/** How a client says no to each kind: the spec has an action for elicitation, and an error for the others. */
function refusalOf({ kind }: Question): Answer {
  if (kind === 'form' || kind === 'url') return decline();
  return kind === 'roots' ? fail(-32601, 'Roots are refused') : fail(-1, 'Sampling is refused');
}
