/**
 * The requests that an ask embeds, as the specification's revision 2026-07-28 has them
 * (schema `InputRequest`), and the answers to them. Objects are open: unknown members travel along.
 */
import type { JsonObject } from './json.ts';

export interface StringField {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  default?: string | undefined;
}

export interface NumberField {
  type: 'number' | 'integer';
  title?: string | undefined;
  description?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  default?: number | undefined;
}

export interface BooleanField {
  type: 'boolean';
  title?: string | undefined;
  description?: string | undefined;
  default?: boolean | undefined;
}

export interface Choice {
  const: string;
  title: string;
}

export interface ChoiceField {
  type: 'string';
  title?: string | undefined;
  description?: string | undefined;
  /** The values, without titles. Exactly one of `enum` and `oneOf` is given. */
  enum?: readonly string[] | undefined;
  /** Titles for `enum`, as revision 2025-06-18 has them. */
  enumNames?: readonly string[] | undefined;
  oneOf?: readonly Choice[] | undefined;
  default?: string | undefined;
}

export interface ChoicesField {
  type: 'array';
  title?: string | undefined;
  description?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items: { type: 'string'; enum: readonly string[] } | { anyOf: readonly Choice[] };
  default?: readonly string[] | undefined;
}

export type FormField = StringField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A flat JSON Schema: what a form may ask (spec: client/elicitation, requested schema). */
export interface FormSchema {
  $schema?: string | undefined;
  type: 'object';
  properties: Record<string, FormField>;
  required?: readonly string[] | undefined;
  /** Not sent; with false, an answer with any other member is not as asked. Of a generated schema (`$schema`) it is dropped. */
  additionalProperties?: unknown;
}

export interface ElicitFormParams {
  mode?: 'form' | undefined;
  message: string;
  requestedSchema: FormSchema;
  /** Added to `message` when the question goes out; two questions that differ only here are the same question. */
  note?: string | undefined;
}

export interface ElicitUrlParams {
  mode: 'url';
  message: string;
  url: string;
  elicitationId?: string | undefined;
}

export interface TextBlock {
  type: 'text';
  text: string;
}

/** One block of a sampling message: text, image, audio, tool_use or tool_result. */
export type SamplingBlock =
  | TextBlock
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | {
      type: 'tool_result';
      toolUseId: string;
      content: unknown[];
      structuredContent?: Record<string, unknown> | undefined;
      isError?: boolean | undefined;
    };

export interface SamplingMessage {
  role: 'user' | 'assistant';
  content: SamplingBlock | SamplingBlock[];
}

export interface CreateMessageParams {
  messages: readonly SamplingMessage[];
  maxTokens: number;
  modelPreferences?: {
    hints?: readonly { name?: string | undefined }[] | undefined;
    costPriority?: number | undefined;
    speedPriority?: number | undefined;
    intelligencePriority?: number | undefined;
  };
  systemPrompt?: string | undefined;
  includeContext?: 'none' | 'thisServer' | 'allServers' | undefined;
  temperature?: number | undefined;
  stopSequences?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  tools?:
    | readonly { name: string; description?: string | undefined; inputSchema: Record<string, unknown> }[]
    | undefined;
  toolChoice?: { mode?: 'auto' | 'required' | 'none' | undefined } | undefined;
}

export type EmbeddedRequest =
  | { method: 'elicitation/create'; params: ElicitFormParams | ElicitUrlParams }
  | { method: 'sampling/createMessage'; params: CreateMessageParams }
  | { method: 'roots/list'; params?: Record<string, unknown> };

export type EmbeddedMethod = EmbeddedRequest['method'];

export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
}

export interface SamplingResult {
  role: 'user' | 'assistant';
  content: SamplingBlock | SamplingBlock[];
  model: string;
  stopReason?: string | undefined;
}

export interface Root {
  uri: string;
  name?: string;
}

export interface RootsResult {
  roots: Root[];
}

export type EmbeddedAnswer = ElicitResult | SamplingResult | RootsResult;

/** The kinds of question, as `canAsk` and the events name them. */
export type AskKind = 'form' | 'url' | 'sampling' | 'sampling.tools' | 'roots';

/** Whether `method` asks the client something that an ask can hold. */
export function isEmbeddedMethod(method: unknown): method is EmbeddedMethod {
  return method === 'elicitation/create' || method === 'sampling/createMessage' || method === 'roots/list';
}

/** The kind of an embedded request whose shape has been checked. */
export function kindOf(method: EmbeddedMethod, params: JsonObject): AskKind {
  if (method === 'elicitation/create') return params['mode'] === 'url' ? 'url' : 'form';
  if (method === 'roots/list') return 'roots';
  return params['tools'] !== undefined || params['toolChoice'] !== undefined ? 'sampling.tools' : 'sampling';
}
