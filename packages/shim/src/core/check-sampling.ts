/** Checks the params of an embedded sampling request (spec: client/sampling). */
import { describeValue, isJsonObject, isSameJson, type JsonObject } from './json.ts';

/** The first thing wrong with `params`, in words for its author; undefined when they are right. */
export function samplingProblem(params: JsonObject): string | undefined {
  const { messages, maxTokens, tools } = params;
  if (!Array.isArray(messages)) return `messages must be a list, got ${describeValue(messages)}`;
  if (!Number.isSafeInteger(maxTokens)) return `maxTokens must be a whole number, got ${describeValue(maxTokens)}`;
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isTool))) {
    return 'tools must be a list of { name, inputSchema }, each inputSchema with type: "object"';
  }
  for (const [member, [isFine, wanted]] of Object.entries(OPTIONAL)) {
    const value = params[member];
    if (value !== undefined && !isFine(value)) return `${member} must be ${wanted}, got ${describeValue(value)}`;
  }
  for (const [index, message] of messages.entries()) {
    const problem = messageProblem(message);
    if (problem !== undefined) return `messages[${index}]: ${problem}`;
  }
  return toolPairProblem(messages);
}

type Check = readonly [isFine: (value: unknown) => boolean, wanted: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const OPTIONAL: Readonly<Record<string, Check>> = {
  toolChoice: [isToolChoice, 'an object whose mode is auto, required or none'],
  systemPrompt: [isText, 'a string'],
  includeContext: [(value) => isOneOf(value, ['none', 'thisServer', 'allServers']), 'none, thisServer or allServers'],
  temperature: [Number.isFinite, 'a number'],
  stopSequences: [isTextList, 'a list of strings'],
  metadata: [isJsonObject, 'an object'],
  modelPreferences: [isPreferences, 'an object of hints and priorities from 0 to 1'],
};

function isOneOf(value: unknown, known: readonly unknown[]): boolean {
  return value === undefined || known.includes(value);
}

function isToolChoice(value: unknown): boolean {
  return isJsonObject(value) && isOneOf(value['mode'], ['auto', 'required', 'none']);
}

function isPreferences(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { hints = [], costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = value;
  const isHint = (hint: unknown): boolean => isJsonObject(hint) && (hint['name'] === undefined || isText(hint['name']));
  const isPriority = (priority: unknown): boolean => typeof priority === 'number' && priority >= 0 && priority <= 1;
  const priorities = [costPriority, speedPriority, intelligencePriority];
  return Array.isArray(hints) && hints.every(isHint) && priorities.every(isPriority);
}

/** The content of a sampling message as a list of blocks. */
export function blocksOf(content: unknown): JsonObject[] {
  return (Array.isArray(content) ? content : [content]) as JsonObject[];
}

/** Tells whether `value` is a content block with the members its type needs. */
export function isSamplingBlock(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string';
    case 'tool_use':
      return typeof value['id'] === 'string' && typeof value['name'] === 'string' && isJsonObject(value['input']);
    case 'tool_result':
      return typeof value['toolUseId'] === 'string' && Array.isArray(value['content']);
    default:
      return false;
  }
}

function isTool(tool: unknown): boolean {
  if (!isJsonObject(tool) || typeof tool['name'] !== 'string') return false;
  return isJsonObject(tool['inputSchema']) && tool['inputSchema']['type'] === 'object';
}

function messageProblem(message: unknown): string | undefined {
  if (!isJsonObject(message)) return `must be { role, content }, got ${describeValue(message)}`;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') return `role must be "user" or "assistant", got ${describeValue(role)}`;
  const isFine = Array.isArray(content) ? content.every(isSamplingBlock) : isSamplingBlock(content);
  if (!isFine) return 'content must be a content block or a list of them';
  const results = blocksOf(content).filter((block) => block['type'] === 'tool_result').length;
  if (results === 0 || results === blocksOf(content).length) return undefined;
  return 'a message with a tool_result block must hold nothing else';
}

// Spec: every tool_use is answered by the very next message, and every tool_result answers one.
function toolPairProblem(messages: readonly JsonObject[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message['content']);
    const answered = idsOf(blocks, 'tool_result', 'toolUseId');
    const isMatched = isSameJson(open, answered);
    if (!isMatched) return `messages[${index}]: its tool_result blocks must answer the tool_use blocks before it`;
    open = idsOf(blocks, 'tool_use', 'id');
  }
  return open.length === 0 ? undefined : 'the last message must not leave a tool_use unanswered';
}

function idsOf(blocks: readonly JsonObject[], type: string, member: string): string[] {
  return blocks
    .filter((block) => block['type'] === type)
    .map((block) => String(block[member]))
    .sort();
}
