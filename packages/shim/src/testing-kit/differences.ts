/**
 * What a handler and a person see in one era and not in the other. What the wires must differ in is left out: see
 * docs/testing.md, What counts as a difference.
 */
import { isSameJson, type JsonObject } from '../core/json.ts';
import type { JsonRpcError } from '../core/json-rpc.ts';
import { differingPairs } from './align.ts';
import type { Step, Transcript } from './transcript.ts';

export interface Difference {
  readonly what: Step['type'] | 'ending' | 'result' | 'error' | 'requiredCapabilities';
  /** What the handshake client saw; left out where it saw nothing of the kind. */
  readonly handshake?: unknown;
  readonly modern?: unknown;
}

export function differencesOf(handshake: Transcript, modern: Transcript): Difference[] {
  const [left, right] = comparableSteps(handshake, modern);
  const pairs = differingPairs(left, right, {
    isSame: isSameJson,
    isAlike: (left, right) => left['type'] === right['type'],
  });
  const steps = pairs.map(({ left, right }) => {
    const { type } = (left ?? right) as unknown as Step;
    return difference(type, left && said(left), right && said(right));
  });
  return [...steps, ...endDifferences(handshake, modern)];
}

/**
 * The steps of both, without what a modern client does because it cannot know that it is late: nothing tells it before
 * it has said everything, and calls again.
 */
function comparableSteps(handshake: Transcript, modern: Transcript): readonly [JsonObject[], JsonObject[]] {
  const last = handshake.steps.at(-1);
  const isLate = last?.type === 'answer' && last.isLate === true;
  if (!isLate || handshake.ending !== modern.ending)
    return [handshake.steps.map(comparable), modern.steps.map(comparable)];
  const { isLate: _late, ...answer } = last;
  const end = modern.steps.findIndex((step) => step.type === 'answer' && step.question === answer.question);
  const said = end < 0 ? modern.steps : modern.steps.slice(0, end + 1);
  return [[...handshake.steps.slice(0, -1), answer].map(comparable), said.map(comparable)];
}

/** `step` as it is compared: places count by their order alone. */
function comparable(step: Step): JsonObject {
  switch (step.type) {
    case 'question': {
      const { number: _number, ...question } = step;
      return question;
    }
    case 'answer': {
      const { question: _question, ...answer } = step;
      return answer;
    }
    case 'progress': {
      // A modern client gets a count of its own for each round, and a handshake client one that rises through all.
      const { progress: _progress, ...rest } = step;
      return rest;
    }
    default:
      return { ...step };
  }
}

function said({ type: _type, ...rest }: JsonObject): JsonObject {
  return rest;
}

function endDifferences(handshake: Transcript, modern: Transcript): Difference[] {
  if (handshake.ending !== modern.ending) return [difference('ending', endOf(handshake), endOf(modern))];
  switch (handshake.ending) {
    case 'result':
      return compared('result', handshake.result, modern.result);
    case 'error':
      return compared('error', plainError(handshake.error), plainError(modern.error));
    case 'unsupported': {
      const [left, right] = [handshake, modern].map(({ outcome }) => outcome?.['requiredCapabilities']);
      return compared('requiredCapabilities', left, right);
    }
    default:
      return [];
  }
}

function compared(what: Difference['what'], left: unknown, right: unknown): Difference[] {
  return isSameJson(left, right) ? [] : [difference(what, left, right)];
}

function difference(what: Difference['what'], handshake: unknown, modern: unknown): Difference {
  return {
    what,
    ...(handshake === undefined ? {} : { handshake }),
    ...(modern === undefined ? {} : { modern }),
  };
}

function endOf({ ending, result, error }: Transcript): JsonObject {
  return { ending, ...(result === undefined ? {} : { result }), ...(error === undefined ? {} : { error }) };
}

/** SDK v1 says the code once more in its messages, which the bridge to modern clients takes off. */
function plainError(error: JsonRpcError | undefined): JsonRpcError | undefined {
  if (error === undefined) return undefined;
  const prefix = `MCP error ${error.code}: `;
  return error.message.startsWith(prefix) ? { ...error, message: error.message.slice(prefix.length) } : error;
}
