/**
 * mcp-dual-era: handlers that return asks, served by servers on the MCP TypeScript SDK v1.
 *
 * @module
 */
import { createInputRequired, type InputRequiredBuilder } from './core/input-required.ts';
import { formOf } from './forms/form-of.ts';

export {
  type CachedValidatorOptions,
  cachedValidator,
  type Validated,
  type ValidatorProvider,
} from './core/cached-validator.ts';
export type { Confirmed, ConfirmInput } from './core/confirm.ts';
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
export { type Form, type FormContent, form } from './core/form.ts';
export {
  type ChoiceInput,
  type ChoicesOptions,
  type Field,
  type FieldBuilders,
  type FieldOptions,
  field,
  type NumberOptions,
  type StringOptions,
} from './core/form-field.ts';
export type { Drained, HoldStats, Holds, MeasuredTimes } from './core/holds.ts';
export { type HandlerExtra, type InputContext, inputContext } from './core/input-context.ts';
export {
  type ElicitInput,
  type ElicitUrlInput,
  type GeneratedSchema,
  type InputRequired,
  type InputRequiredBuilder,
  type InputRequiredInput,
  type InputRequiredResult,
  isInputRequiredResult,
} from './core/input-required.ts';
export {
  acceptedContent,
  type CheckedInputResponse,
  type InputResponse,
  type InputResponses,
  inputResponse,
} from './core/input-response.ts';
export type { JsonObject } from './core/json.ts';
export { once } from './core/once.ts';
export type { Clock, InputRequiredOptions, Ports } from './core/options.ts';
export type { Outcome, OutcomeReason } from './core/outcome.ts';
export type { CallerAuth, SubjectOf } from './core/principal.ts';
export type {
  BindState,
  RequestStateCodec,
  RequestStateCodecOptions,
  SingleUseStore,
  StateBinding,
  StateCall,
  StateRefusalCause,
} from './core/request-state.ts';
export type { AnswerTime } from './core/sizing/answer-time.ts';
export { type PoolInput, type PoolSize, type PoolTarget, sizeWorkerPool } from './core/sizing/size-worker-pool.ts';
export type { AnswerIssue, StandardIssue, StandardResult, StandardSchema } from './core/standard-schema.ts';
export type { Telemetry, TraceContext, TracedCall } from './core/telemetry.ts';
export type { TimeDistribution } from './core/time-distribution.ts';
export { completeElicitation } from './handshake/complete-elicitation.ts';
export { createHolds, type HoldsOptions } from './handshake/holds.ts';
export { withInputRequiredShim, withoutInputRequiredShim } from './handshake/install.ts';
export { shimTransport } from './handshake/shim-transport.ts';
export { defaultBinding } from './state/binding.ts';
export {
  createRequestStateCodec,
  type SingleUseRequestStateCodec,
  type SyncRequestStateCodec,
} from './state/codec.ts';
export { generateRequestStateKey } from './state/keys.ts';
export { type InMemorySingleUseOptions, inMemorySingleUseStore } from './state/single-use.ts';

/** {@inheritDoc InputRequiredBuilder} */
export const inputRequired: InputRequiredBuilder = createInputRequired(formOf);
