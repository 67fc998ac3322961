/** Says in a few words what a message is about, of either era. */
import { inspect } from 'node:util';
import {
  CallToolResultSchema,
  ClientRequestSchema,
  CreateMessageResultSchema,
  type ElicitRequest,
  ElicitResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListRootsResultSchema,
  ReadResourceResultSchema,
  ServerRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const RequestSchema = z.union([ClientRequestSchema, ServerRequestSchema]);

export function describeRequest({ method, params }: JSONRPCRequest): string {
  // A modern client answers by calling again.
  const answers = Object.entries(params?.['inputResponses'] ?? {});
  if (answers.length === 0) return shown(params, () => sayRequest(RequestSchema.parse({ method, params })));
  const state = params?.['requestState'] === undefined ? '' : ', and the state';
  return `${answers.map(([key, answer]) => `${key}: ${describeAnswer(answer)}`).join(', ')}${state}`;
}

/** The questions of a modern result, by their keys; undefined for any other result. */
export function describeAsk(result: unknown): string | undefined {
  if (!isAsk(result)) return undefined;
  const asked = Object.entries(result.inputRequests).map(
    ([key, request]) => `${key}: ${shown(request, () => sayRequest(RequestSchema.parse(request)))}`,
  );
  return asked.join(', ');
}

/** The methods of the questions that `message` puts to a client, in either era's way. */
export function questionsIn(message: JSONRPCMessage): readonly string[] {
  if (isJSONRPCRequest(message)) return [message.method];
  if (!isJSONRPCResultResponse(message) || !isAsk(message.result)) return [];
  return Object.values(message.result.inputRequests).map(({ method }) => method);
}

interface Ask {
  readonly inputRequests: Readonly<Record<string, { readonly method: string }>>;
}

function isAsk(result: unknown): result is Ask {
  return typeof result === 'object' && result !== null && 'inputRequests' in result;
}

/** An answer without the method that it answers, which its shape tells. */
function describeAnswer(answer: unknown): string {
  const is = (member: string) => typeof answer === 'object' && answer !== null && member in answer;
  if (is('action')) return describeResult('elicitation/create', answer);
  return describeResult(is('roots') ? 'roots/list' : 'sampling/createMessage', answer);
}

/** @param method - the method of the request that `result` answers. */
export function describeResult(method: string, result: unknown): string {
  return shown(result, () => sayResult(method, result));
}

/** What `say` makes of `value`; as it is, where it is not as the protocol has it. Judging it is for the client. */
function shown(value: unknown, say: () => string): string {
  try {
    return say();
  } catch {
    return inline(value);
  }
}

function sayRequest(request: z.infer<typeof RequestSchema>): string {
  switch (request.method) {
    case 'initialize':
      return `${request.params.protocolVersion}, answers ${names(request.params.capabilities)}`;
    case 'tools/call':
    case 'prompts/get':
      return `${request.params.name} ${inline(request.params.arguments)}`;
    case 'resources/read':
      return request.params.uri;
    case 'elicitation/create':
      return `${request.params.message} ${describeForm(request.params)}`;
    case 'sampling/createMessage':
      return request.params.messages.map(({ content }) => textOf(content)).join(' ');
    case 'roots/list':
      return 'Which folders do you offer?';
    default:
      return '';
  }
}

function sayResult(method: string, result: unknown): string {
  switch (method) {
    case 'initialize': {
      const { protocolVersion, capabilities } = InitializeResultSchema.parse(result);
      return `${protocolVersion}, offers ${names(capabilities)}`;
    }
    case 'tools/call':
      return textOf(CallToolResultSchema.parse(result).content);
    case 'prompts/get':
      return textOf(GetPromptResultSchema.parse(result).messages.map(({ content }) => content));
    case 'resources/read':
      return textOf(ReadResourceResultSchema.parse(result).contents);
    case 'elicitation/create': {
      const { action, content } = ElicitResultSchema.parse(result);
      return content === undefined ? action : `${action} ${inline(content)}`;
    }
    case 'sampling/createMessage':
      return textOf(CreateMessageResultSchema.parse(result).content);
    case 'roots/list':
      return ListRootsResultSchema.parse(result)
        .roots.map(({ uri, name }) => `${name ?? ''} ${uri}`.trim())
        .join(', ');
    default:
      return inline(result);
  }
}

function describeForm(params: ElicitRequest['params']): string {
  if (params.mode === 'url') return params.url;
  const fields = Object.entries(params.requestedSchema.properties).map(([name, field]) => {
    return `${name}: ${'enum' in field ? field.enum.join(' | ') : field.type}`;
  });
  return `[${fields.join(', ')}]`;
}

function textOf(content: object | readonly object[]): string {
  return [content]
    .flat()
    .map((block) => ('text' in block ? String(block.text) : ''))
    .join(' ');
}

function names(members: object): string {
  return Object.keys(members).join(', ') || 'nothing';
}

function inline(value: unknown): string {
  return value === undefined ? '' : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}
