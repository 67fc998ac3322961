/** The answers that come with a retry (spec: basic/patterns/mrtr, `inputResponses`). */
import { readElicitResult, readRootsResult, readSamplingResult } from '../core/answer.ts';
import type { EmbeddedAnswer } from '../core/embedded-request.ts';
import { describeValue, isJsonObject, type JsonObject } from '../core/json.ts';
import { INVALID_PARAMS } from '../core/json-rpc.ts';
import type { FailedAnswer } from '../core/retry-record.ts';
import { WireError } from './wire-error.ts';

export interface RetryAnswers {
  readonly responses: Readonly<Record<string, EmbeddedAnswer>> | undefined;
  readonly failed: ReadonlyMap<string, FailedAnswer> | undefined;
}

const NONE: RetryAnswers = { responses: undefined, failed: undefined };

/**
 * `given` as the answers of a retry by their keys; undefined where none came.
 *
 * @throws WireError when it is no object.
 */
export function requireAnswers(given: unknown): JsonObject | undefined {
  if (given === undefined || isJsonObject(given)) return given;
  throw new WireError(
    INVALID_PARAMS,
    `inputResponses must be an object of answers by key, got ${describeValue(given)}`,
  );
}

/** Reads `given`, own members only. What has the shape of no kind of answer reads as absent. */
export function readRetryAnswers(given: JsonObject | undefined): RetryAnswers {
  const keys = Object.keys(given ?? {});
  if (given === undefined || keys.length === 0) return NONE;
  const responses = Object.create(null) as Record<string, EmbeddedAnswer>;
  const failed = new Map<string, FailedAnswer>();
  for (const key of keys) {
    const answer = readAnyAnswer(given[key]);
    if (answer === undefined) failed.set(key, { reason: 'malformed' });
    else responses[key] = answer;
  }
  return { responses: Object.keys(responses).length === 0 ? undefined : responses, failed };
}

/** Without a question to go by, the shape of an answer tells which kind it is. */
function readAnyAnswer(answer: unknown): EmbeddedAnswer | undefined {
  if (!isJsonObject(answer) || isWrapped(answer)) return undefined;
  return readElicitResult(answer) ?? readRootsResult(answer) ?? readSamplingResult(answer);
}

// Answers are bare results: a request or a response around one is a mistake of the client's.
function isWrapped(answer: JsonObject): boolean {
  return Object.hasOwn(answer, 'method') || Object.hasOwn(answer, 'result');
}
