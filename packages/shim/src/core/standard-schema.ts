/** Standard Schema v1 (standardschema.dev), the part that a reader needs: zod, valibot and arktype objects all have it. */
import { isUnwantedPromise } from './thenable.ts';

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Takes any value. */
export const ANY_VALUE: StandardSchema = {
  '~standard': { version: 1, vendor: 'mcp-dual-era', validate: (value) => ({ value }) },
};

/** A member of an answer that is not as asked: `path` names it, dots between levels. */
export interface AnswerIssue {
  readonly path: string;
  readonly message: string;
}

export type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly AnswerIssue[] };

/**
 * Parses `value` with a synchronous Standard Schema.
 *
 * @throws TypeError when the schema validates asynchronously: a handler reads its answers synchronously.
 */
export function parseWith<Output>(schema: StandardSchema<Output>, value: unknown): Checked<Output> {
  const result = schema['~standard'].validate(value) as StandardResult<Output>;
  if (isUnwantedPromise(result)) {
    throw new TypeError('The schema to read an answer with must be synchronous, got one that returns a promise');
  }
  if (result.issues === undefined) return { value: result.value };
  return { issues: result.issues.map((issue) => ({ path: pathOf(issue), message: issue.message })) };
}

function pathOf(issue: StandardIssue): string {
  return (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
}
