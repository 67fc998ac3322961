/**
 * mcp-dual-era: handlers that return asks, served by servers on the MCP TypeScript SDK v1.
 *
 * @module
 */
export type {
  AskKind,
  BooleanField,
  Choice,
  ChoiceField,
  ChoicesField,
  CreateMessageParams,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  EmbeddedAnswer,
  EmbeddedMethod,
  EmbeddedRequest,
  FormField,
  FormSchema,
  NumberField,
  Root,
  RootsResult,
  SamplingBlock,
  SamplingMessage,
  SamplingResult,
  StringField,
  TextBlock,
} from './core/embedded-request.ts';
export { DualEraError, type DualEraErrorCode } from './core/errors.ts';
export type { DualEraEvent, EventHook, HoldOutcome, LegOutcome } from './core/events.ts';
export { type HandlerExtra, type InputContext, inputContext } from './core/input-context.ts';
export {
  type ElicitInput,
  type ElicitUrlInput,
  type InputRequired,
  type InputRequiredBuilder,
  type InputRequiredInput,
  type InputRequiredResult,
  inputRequired,
  isInputRequiredResult,
} from './core/input-required.ts';
export {
  acceptedContent,
  type CheckedInputResponse,
  type InputResponse,
  type InputResponses,
  inputResponse,
} from './core/input-response.ts';
export type { Clock, InputRequiredOptions, Ports, RequestStateOptions } from './core/options.ts';
export type { Outcome, OutcomeReason } from './core/outcome.ts';
export type { CallerAuth, SubjectOf } from './core/principal.ts';
export type { AnswerIssue, StandardIssue, StandardResult, StandardSchema } from './core/standard-schema.ts';
export { withInputRequiredShim, withoutInputRequiredShim } from './handshake/install.ts';
export { shimTransport } from './handshake/shim-transport.ts';
