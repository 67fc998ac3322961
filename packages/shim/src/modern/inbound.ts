/** What an HTTP request is, before anybody serves it: who may send it, what it carries, and of which era it is. */
import {
  classifyInboundRequest,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  PROTOCOL_VERSION_META_KEY,
  readRequestBody,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
import type { Era } from '../core/revision.ts';
import type { HttpError } from './json-response.ts';

/** Whom the server answers, by host names without ports. */
export interface Doorkeeper {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/** @param hosts - undefined: loopback names only. @param origins - undefined: pages of the same names. */
export function doorkeeper(hosts: readonly string[] | undefined, origins: readonly string[] | undefined): Doorkeeper {
  return {
    hosts: hosts ?? localhostAllowedHostnames(),
    origins: origins ?? hosts ?? localhostAllowedOrigins(),
  };
}

/** The names of `hosts` under which other machines reach this one. */
export function beyondLoopback(hosts: readonly string[]): readonly string[] {
  const loopback = localhostAllowedHostnames();
  return hosts.filter((host) => !loopback.includes(host));
}

/** Why `request` is turned away: it was sent to another name, or by a page that has no business here. */
export function refusal({ headers, url }: Request, { hosts, origins }: Doorkeeper): HttpError | undefined {
  const host = validateHostHeader(headers.get('host') ?? new URL(url).host, [...hosts]);
  if (!host.ok) return { status: 403, code: -32000, message: host.message };
  const origin = validateOriginHeader(headers.get('origin'), [...origins]);
  return origin.ok ? undefined : { status: 403, code: -32000, message: origin.message };
}

export type Inbound = { readonly body: unknown } | { readonly error: HttpError };

/** Reads the body of a POST, at most `maxBytes` of it. */
export async function readBody(request: Request, maxBytes: number): Promise<Inbound> {
  try {
    const read = await readRequestBody(request, maxBytes);
    if (!read.tooLarge) return { body: JSON.parse(read.text) };
    return {
      error: { status: 413, code: -32000, message: `The body of the request is longer than ${maxBytes} bytes` },
    };
  } catch {
    return { error: { status: 400, code: -32700, message: 'Parse error: the body of the request is not JSON' } };
  }
}

export function hasJson({ headers }: Request): boolean {
  return isJsonContentType(headers.get('content-type'));
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The era of `request`, of which `body` is what it carries (spec: versioning; see docs/serving.md, Eras). */
export function eraOf(request: Request, body: unknown): Era {
  // Spec: except on `initialize`, a claim never falls back, whatever is wrong with it.
  if (isClaim(body)) return 'modern';
  const version = request.headers.get('mcp-protocol-version')?.trim();
  // The engine compares versions as text, to which `zzz` is later than any date.
  const isRevision = version !== undefined && (DATE.test(version) || hasClaim(body));
  const { kind } = classifyInboundRequest({
    httpMethod: request.method,
    ...(isRevision ? { protocolVersionHeader: version } : {}),
    ...headerOf(request, 'mcp-method', 'mcpMethodHeader'),
    ...headerOf(request, 'mcp-name', 'mcpNameHeader'),
    body,
  });
  return kind === 'legacy' ? 'handshake' : 'modern';
}

function headerOf({ headers }: Request, name: string, member: string): JsonObject {
  const value = headers.get(name);
  return value === null ? {} : { [member]: value };
}

/** Whether `body` claims a revision (spec: versioning); `initialize` opens a handshake whatever it claims. */
export function isClaim(body: unknown): boolean {
  return hasClaim(body) && (body as JsonObject)['method'] !== 'initialize';
}

function hasClaim(body: unknown): boolean {
  return isJsonObject(body) && claimOf(body['params']) !== undefined;
}

/** The revision that the `params` of a message claim, whatever it is; undefined where they claim none. */
export function claimOf(params: unknown): unknown {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? ownMember(meta, PROTOCOL_VERSION_META_KEY) : undefined;
}
