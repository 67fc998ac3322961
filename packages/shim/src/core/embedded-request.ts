/**
 * The requests that an ask embeds, as the specification's revision 2026-07-28 has them
 * (schema `InputRequest`), and the answers to them. Objects are open: unknown members travel along.
 */
import type { JsonObject } from './json.ts';

export interface StringField {
  type: 'string';
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  default?: string;
}

export interface NumberField {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

export interface BooleanField {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

export interface Choice {
  const: string;
  title: string;
}

export interface ChoiceField {
  type: 'string';
  title?: string;
  description?: string;
  /** The values, without titles. Exactly one of `enum` and `oneOf` is given. */
  enum?: string[];
  /** Titles for `enum`, as revision 2025-06-18 has them. */
  enumNames?: string[];
  oneOf?: Choice[];
  default?: string;
}

export interface ChoicesField {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { type: 'string'; enum: string[] } | { anyOf: Choice[] };
  default?: string[];
}

export type FormField = StringField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A flat JSON Schema: what a form may ask (spec: client/elicitation, requested schema). */
export interface FormSchema {
  $schema?: string;
  type: 'object';
  properties: Record<string, FormField>;
  required?: string[];
}

export interface ElicitFormParams {
  mode?: 'form';
  message: string;
  requestedSchema: FormSchema;
  /** Added to `message` when the question goes out; two questions that differ only here are the same question. */
  note?: string;
}

export interface ElicitUrlParams {
  mode: 'url';
  message: string;
  url: string;
  elicitationId?: string;
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
      structuredContent?: Record<string, unknown>;
      isError?: boolean;
    };

export interface SamplingMessage {
  role: 'user' | 'assistant';
  content: SamplingBlock | SamplingBlock[];
}

export interface CreateMessageParams {
  messages: SamplingMessage[];
  maxTokens: number;
  modelPreferences?: {
    hints?: { name?: string }[];
    costPriority?: number;
    speedPriority?: number;
    intelligencePriority?: number;
  };
  systemPrompt?: string;
  includeContext?: 'none' | 'thisServer' | 'allServers';
  temperature?: number;
  stopSequences?: string[];
  metadata?: Record<string, unknown>;
  tools?: { name: string; description?: string; inputSchema: Record<string, unknown> }[];
  toolChoice?: { mode?: 'auto' | 'required' | 'none' };
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
  stopReason?: string;
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

/** The kind of an embedded request whose shape has been checked. */
export function kindOf(method: EmbeddedMethod, params: JsonObject): AskKind {
  if (method === 'elicitation/create') return params['mode'] === 'url' ? 'url' : 'form';
  if (method === 'roots/list') return 'roots';
  return params['tools'] !== undefined || params['toolChoice'] !== undefined ? 'sampling.tools' : 'sampling';
}
