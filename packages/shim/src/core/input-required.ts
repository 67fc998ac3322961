/** Builders of an ask, with the names of SDK v2, and the test for one. */

import type { CreateMessageParams, ElicitFormParams, EmbeddedRequest, FormSchema } from './embedded-request.ts';
import { describeValue, isJsonObject, ownMember } from './json.ts';
import { knownOptions } from './option-checks.ts';
import type { StandardSchema } from './standard-schema.ts';

const INPUT_REQUIRED = 'input_required';

const NOT_FULFILLED =
  'This call needs input from a person, and no middleware was there to ask for it. ' +
  'Wrap the server with withInputRequiredShim(server) before connect.';

/** An ask as it travels: the specification's `InputRequiredResult`. */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, EmbeddedRequest>>;
  readonly requestState?: unknown;
  readonly [member: string]: unknown;
}

/**
 * An ask as a handler returns it: assignable to SDK v1's `CallToolResult`, `GetPromptResult` and `ReadResourceResult`.
 * The members that make it so say that nobody answered; a middleware never sends them.
 */
export interface InputRequired {
  resultType: 'input_required';
  inputRequests?: Record<string, EmbeddedRequest>;
  requestState?: unknown;
  isError: true;
  content: { type: 'text'; text: string }[];
  messages: { role: 'user'; content: { type: 'text'; text: string } }[];
  contents: { uri: string; mimeType: string; text: string }[];
  [member: string]: unknown;
}

export interface InputRequiredInput {
  /** The questions by key. Keys are stable names: the answers come back under them. */
  readonly inputRequests?: Readonly<Record<string, EmbeddedRequest>> | undefined;
  /** A JSON value to have back when the handler runs again: an object, array, number or boolean. */
  readonly requestState?: unknown;
}

/** JSON Schema as a generator types it, for instance `z.toJSONSchema()`. It is checked when it is asked. */
export interface GeneratedSchema {
  readonly $schema?: string | undefined;
}

export interface ElicitInput {
  readonly message: string;
  /** A zod object, `form()`, plain JSON Schema, or what a schema generator made of one. */
  readonly requestedSchema: FormSchema | StandardSchema | GeneratedSchema;
  /** Added below the message when the question goes out, for instance why the last answer could not be used. */
  readonly note?: string | undefined;
}

export interface ElicitUrlInput {
  readonly message: string;
  readonly url: string;
  /** Sent on revision 2025-11-25, which requires one; minted there if absent. */
  readonly elicitationId?: string | undefined;
}

/** The builder of an ask, and of the four kinds of question that it holds. */
export interface InputRequiredBuilder {
  /**
   * Builds the ask to return from the handler of a tool, prompt or resource.
   *
   * @throws TypeError when neither `inputRequests` nor `requestState` is given (spec: basic/patterns/mrtr), or a member
   * that is neither.
   */
  (input: InputRequiredInput): InputRequired;
  /**
   * A form to fill in.
   *
   * @throws TypeError that names the field, when the schema of zod or of a generator says what a form cannot.
   */
  elicit(input: ElicitInput): EmbeddedRequest;
  /** A page to visit. An accept says that the person agreed to open it, not that they are done there. */
  elicitUrl(input: ElicitUrlInput): EmbeddedRequest;
  /** A message for the client's model to write. */
  createMessage(params: CreateMessageParams): EmbeddedRequest;
  /** The folders and files that the client offers. */
  listRoots(): EmbeddedRequest;
}

/** Builds an ask. */
export function askOf(input: InputRequiredInput = {}): InputRequired {
  // What is an ask already, with a state put to it, has more members.
  if (!isInputRequiredResult(input)) knownOptions('inputRequired', input, ['inputRequests', 'requestState']);
  const { inputRequests, requestState } = input;
  const isEmpty = Object.keys(inputRequests ?? {}).length === 0;
  if (isEmpty && (requestState === undefined || requestState === null)) {
    throw new TypeError(
      'inputRequired needs at least one entry in inputRequests, or a requestState, ' +
        `got ${describeValue(inputRequests)} and ${describeValue(requestState)}`,
    );
  }
  return {
    resultType: INPUT_REQUIRED,
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(requestState === undefined ? {} : { requestState }),
    isError: true,
    content: [{ type: 'text', text: NOT_FULFILLED }],
    messages: [{ role: 'user', content: { type: 'text', text: NOT_FULFILLED } }],
    contents: [{ uri: 'about:blank', mimeType: 'text/plain', text: NOT_FULFILLED }],
  };
}

// What is missing is told when it is asked, with the key of the question.
function elicitUrl({ message, url, elicitationId }: ElicitUrlInput = {} as never): EmbeddedRequest {
  const params = { mode: 'url' as const, message, url };
  return { method: 'elicitation/create', params: elicitationId === undefined ? params : { ...params, elicitationId } };
}

function createMessage(params: CreateMessageParams): EmbeddedRequest {
  return { method: 'sampling/createMessage', params };
}

function listRoots(): EmbeddedRequest {
  return { method: 'roots/list', params: {} };
}

/** The builder, with `formOf` to take the schema of a form from whatever a handler has. */
export function createInputRequired(formOf: (given: unknown) => FormSchema): InputRequiredBuilder {
  const elicit = ({ message, requestedSchema, note }: ElicitInput = {} as never): EmbeddedRequest => {
    const params: ElicitFormParams = { mode: 'form', message, requestedSchema: formOf(requestedSchema) };
    if (note !== undefined) params.note = note;
    return { method: 'elicitation/create', params };
  };
  const build = (input: InputRequiredInput): InputRequired => askOf(input);
  return Object.assign(build, { elicit, elicitUrl, createMessage, listRoots });
}

/** Tells whether `value` is an ask, however it was made: by the builder, by hand, or out of JSON. */
export function isInputRequiredResult(value: unknown): value is InputRequiredResult {
  return isJsonObject(value) && ownMember(value, 'resultType') === INPUT_REQUIRED;
}
