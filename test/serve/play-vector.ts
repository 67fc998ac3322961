import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Bindings, findMismatch, substitute } from '../spec/match.ts';
import type { Json } from '../support/json.ts';
import type { Peer } from '../support/peer.ts';

/** One exchange of vectors.json; the file's `format` section says what the members mean. */
export interface Vector {
  readonly id: string;
  readonly title: string;
  readonly era: 'modern' | 'legacy' | 'mixed';
  readonly endpoint: 'dual' | 'modern-only';
  readonly transport: 'any' | 'http' | 'stdio';
  readonly init?: { readonly protocolVersion: string; readonly capabilities: Json };
  readonly steps: readonly Json[];
}

const file = readFileSync(new URL('../spec/vectors.json', import.meta.url), 'utf8');
export const VECTORS = JSON.parse(file).vectors as readonly Vector[];

/** Plays `vector` as its client. Over HTTP the statuses are looked at too, and each POST has the headers of its body. */
export async function playVector(peer: Peer, { init, era, steps }: Vector, isHttp: boolean): Promise<void> {
  if (init !== undefined) await peer.handshake({ revision: init.protocolVersion, capabilities: init.capabilities });
  const bindings: Bindings = new Map();
  let status = 0;
  for (const step of steps) {
    if ('send' in step) {
      const message = substitute(step['send'], bindings);
      status = await peer.send(message, step['headers'] ?? mirrorHeaders(message as Json));
      if (isHttp && era === 'legacy') expect(status).toBe(isRequest(message as Json) ? 200 : 202);
    }
    if ('expect' in step) expect(findMismatch(step['expect'], await peer.next(), bindings)).toBeUndefined();
    if ('status' in step && isHttp) expect(status).toBe(step['status']);
    if ('expectNothing' in step) expect(await peer.rest(100)).toEqual([]);
  }
  expect(await peer.rest(0)).toEqual([]);
}

const isRequest = (message: Json): boolean => 'method' in message && 'id' in message;

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The MCP headers that mirror an enveloped body; none for any other. Names and URIs of these tests are plain ASCII. */
export function mirrorHeaders(message: Json): Record<string, string> {
  const { method, params } = message;
  const version = params?._meta?.[VERSION];
  if (version === undefined) return {};
  const name = method === 'resources/read' ? params.uri : params.name;
  return {
    'MCP-Protocol-Version': version,
    'Mcp-Method': method,
    ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
  };
}
