/** What a client declared it can answer (spec: basic/lifecycle and client/elicitation, capabilities). */
import type { AskKind } from './embedded-request.ts';
import { isJsonObject, type JsonObject, ownMember } from './json.ts';

/**
 * The kinds of question that `capabilities` declares. A member that is not an object declares nothing.
 * An empty `elicitation` means forms; once it has members, only `form` and `url` among them count.
 */
export function declaredKinds(capabilities: unknown): ReadonlySet<AskKind> {
  const kinds = new Set<AskKind>();
  if (!isJsonObject(capabilities)) return kinds;
  const elicitation = ownMember(capabilities, 'elicitation');
  if (isJsonObject(elicitation)) {
    if (isDeclared(elicitation, 'form') || Object.keys(elicitation).length === 0) kinds.add('form');
    if (isDeclared(elicitation, 'url')) kinds.add('url');
  }
  const sampling = ownMember(capabilities, 'sampling');
  if (isJsonObject(sampling)) {
    kinds.add('sampling');
    if (isDeclared(sampling, 'tools')) kinds.add('sampling.tools');
  }
  if (isDeclared(capabilities, 'roots')) kinds.add('roots');
  return kinds;
}

function isDeclared(object: JsonObject, name: string): boolean {
  return isJsonObject(ownMember(object, name));
}

/**
 * The capabilities that would have to be declared for `kinds`, as one object in the shape of the
 * specification's `requiredCapabilities` (error -32021).
 */
export function requiredCapabilities(kinds: Iterable<AskKind>): JsonObject {
  const required: Record<string, JsonObject> = {};
  for (const kind of kinds) {
    if (kind === 'form' || kind === 'url') required['elicitation'] = { ...required['elicitation'], [kind]: {} };
    else if (kind === 'sampling.tools') required['sampling'] = { tools: {} };
    else required[kind] = { ...required[kind] };
  }
  return required;
}

/**
 * `capabilities` without the members that SDK v1 would refuse the whole handshake for: those that are no objects
 * where the specification has objects. What is left never declares more than was declared.
 */
export function cleanCapabilities(capabilities: unknown): JsonObject {
  if (!isJsonObject(capabilities)) return {};
  return mapMembers(capabilities, (name, value) => {
    if (!isJsonObject(value)) return undefined;
    const clean = CLEANERS[name];
    return clean === undefined ? value : clean(value);
  });
}

/** `message`, an `initialize` request or what else came in its place, with clean capabilities. */
export function withCleanCapabilities<Message>(message: Message): Message {
  const params = isJsonObject(message) ? message['params'] : undefined;
  if (!isJsonObject(params) || !Object.hasOwn(params, 'capabilities')) return message;
  return { ...message, params: { ...params, capabilities: cleanCapabilities(params['capabilities']) } };
}

// An own-property lookup: a capability named `toString` must not find a function here.
const CLEANERS: Record<string, (value: JsonObject) => JsonObject | undefined> = Object.assign(Object.create(null), {
  elicitation: cleanElicitation,
  sampling: objectMembers,
  experimental: objectMembers,
  extensions: objectMembers,
  roots: (value: JsonObject) => keepFlag(value, 'listChanged'),
  tasks: cleanTasks,
});

function cleanElicitation(value: JsonObject): JsonObject | undefined {
  const clean = mapMembers(value, (name, member) => {
    if (!isJsonObject(member)) return undefined;
    return name === 'form' ? keepFlag(member, 'applyDefaults') : member;
  });
  // Emptied, it would declare forms, which the client did not.
  const isEmptied = Object.keys(clean).length === 0 && Object.keys(value).length > 0;
  return isEmptied ? undefined : clean;
}

function cleanTasks(value: JsonObject): JsonObject {
  return mapMembers(value, (name, member) => {
    if (!isJsonObject(member)) return undefined;
    if (name !== 'requests') return member;
    return mapMembers(member, (_name, request) => (isJsonObject(request) ? objectMembers(request) : undefined));
  });
}

function objectMembers(value: JsonObject): JsonObject {
  return mapMembers(value, (_name, member) => (isJsonObject(member) ? member : undefined));
}

function keepFlag(value: JsonObject, flag: string): JsonObject {
  return mapMembers(value, (name, member) => (name === flag && typeof member !== 'boolean' ? undefined : member));
}

/** A copy of `object` with each own member replaced, or left out where `replace` returns undefined. */
function mapMembers(object: JsonObject, replace: (name: string, value: unknown) => unknown): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const replaced = replace(name, value);
    if (replaced !== undefined) kept.push([name, replaced]);
  }
  // fromEntries defines own members, so that a member named __proto__ stays one.
  return Object.fromEntries(kept);
}
