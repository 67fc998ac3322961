/** Where a server is: a URL, or a command that starts it. */
import {
  type FetchLike,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { definedMembers, isJsonObject, type JsonObject } from '../core/json.ts';
import { knownOptions, wrongSecret } from '../core/option-checks.ts';
import { EngineHttpTransport, EngineStdioTransport } from './engine-transports.ts';

/** A server over Streamable HTTP, with the options of SDK v1's own transport for it. */
export interface HttpTarget {
  readonly url: URL | string;
  readonly requestInit?: RequestInit | undefined;
  readonly authProvider?: OAuthClientProvider | undefined;
  readonly fetch?: FetchLike | undefined;
}

/** A server over stdio, with the options of SDK v1's own transport for it. */
export interface StdioTarget {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly stderr?: 'inherit' | 'ignore' | 'pipe' | undefined;
}

export type Target = URL | HttpTarget | StdioTarget;

export type WireTransport = StreamableHTTPClientTransport | StdioClientTransport;

/** A transport to `target` for the engine. */
export function openForEngine(target: Target): WireTransport {
  return open(target, { http: EngineHttpTransport, stdio: EngineStdioTransport });
}

/** A transport to `target` as it is. */
export function openPlain(target: Target): WireTransport {
  return open(target, { http: StreamableHTTPClientTransport, stdio: StdioClientTransport });
}

interface Transports {
  readonly http: new (url: URL, options: StreamableHTTPClientTransportOptions) => StreamableHTTPClientTransport;
  readonly stdio: new (parameters: ConstructorParameters<typeof StdioClientTransport>[0]) => StdioClientTransport;
}

function open(target: Target, { http, stdio }: Transports): WireTransport {
  if (target instanceof URL) return new http(target, {});
  if ('command' in target) {
    const { command, args, env, cwd, stderr } = target;
    // The transports tell an option from none by its presence.
    const options = definedMembers({ args: args && [...args], env: env && { ...env }, cwd, stderr });
    return new stdio({ command, ...options });
  }
  const { url, requestInit, authProvider, fetch } = target;
  return new http(new URL(url), definedMembers({ requestInit, authProvider, fetch }));
}

/**
 * @throws TypeError when `target` is none or has a member that counts for nothing, RangeError for a URL that is not HTTP's.
 */
export function checkTarget(target: unknown): asserts target is Target {
  if (isJsonObject(target) && typeof target['command'] === 'string') {
    return knownOptions('target', target, ['command', 'args', 'env', 'cwd', 'stderr']);
  }
  const given = target instanceof URL || !isJsonObject(target) ? target : target['url'];
  const url = given instanceof URL || typeof given === 'string' ? String(given) : '';
  if (!URL.canParse(url) || (target === given && !(given instanceof URL))) throw wrongSecret('target', WANTED, target);
  const { protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new RangeError(`target must be an http or https URL, got ${protocol}`);
  }
  if (target !== given) knownOptions('target', target as JsonObject, ['url', 'requestInit', 'authProvider', 'fetch']);
}

const WANTED = 'a URL, { url } or { command }';
