/** Hints for modern clients on how long they may keep a result. */
import { McpServer, type ServerOptions } from '@modelcontextprotocol/server';
import type { JsonObject } from '../core/json.ts';
import { integer, object, oneOf } from '../core/option-checks.ts';
import { NO_VALIDATOR } from './no-validator.ts';

/** Hints for clients that keep results, by the operation. */
export type CacheHints = NonNullable<ServerOptions['cacheHints']>;

const CACHEABLE = [
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/list',
];

/** @throws TypeError or RangeError for hints that the specification or the engine does not have. */
export function checkCacheHints(cacheHints: CacheHints): void {
  object('cacheHints', cacheHints);
  for (const [name, hint] of Object.entries(cacheHints)) {
    oneOf('a member of cacheHints', name, CACHEABLE);
    const { ttlMs, cacheScope } = hint ?? {};
    if (ttlMs !== undefined && ttlMs !== 0) integer(`cacheHints['${name}'].ttlMs`, ttlMs);
    if (cacheScope !== undefined) oneOf(`cacheHints['${name}'].cacheScope`, cacheScope, ['public', 'private']);
  }
  void new McpServer({ name: 'mcp-dual-era', version: '1' }, { jsonSchemaValidator: NO_VALIDATOR, cacheHints });
}

/** `result` of `method`, which is no ask, with the hint for it, unless it says itself how long it keeps. */
export function withCacheHint(result: JsonObject, method: string, cacheHints: CacheHints | undefined): JsonObject {
  const hint = cacheHints?.[method as keyof CacheHints];
  return hint === undefined ? result : { ...hint, ...result };
}
