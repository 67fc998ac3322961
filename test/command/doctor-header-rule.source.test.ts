import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasAllowedHeaders } from '../../packages/shim/src/command/doctor/header-rule.ts';
import { COMPLETE, serveScript, toolOf, toolsOf } from '../client/scripted-server.ts';
import type { Json } from '../support/json.ts';
import { diagnose } from './doctor-diagnose.ts';

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const named = (header: unknown, type: unknown = 'string'): Json => ({ type, 'x-mcp-header': header });

const SCHEMAS: Readonly<Record<string, Json>> = {
  none: object({ a: { type: 'string' } }),
  string: object({ a: named('Region') }),
  integer: object({ a: named('Region', 'integer') }),
  boolean: object({ a: named('Region', 'boolean') }),
  'of an inner object': object({ a: object({ b: named('Region') }) }),
  'two names': object({ a: named('Region'), b: named('Zone') }),
  'in the name of an argument': object({ 'x-mcp-header': { type: 'string' } }),
  'in an example': object({ a: { type: 'object', examples: [named('Region')] } }),
  'wrong: number': object({ a: named('Region', 'number') }),
  'wrong: object': object({ a: named('Region', 'object') }),
  'wrong: no type': object({ a: { 'x-mcp-header': 'Region' } }),
  'wrong: two types': object({ a: named('Region', ['string', 'null']) }),
  'wrong: empty': object({ a: named('') }),
  'wrong: no text': object({ a: named(7) }),
  'wrong: a space': object({ a: named('My Region') }),
  'wrong: a line': object({ a: named('A\r\nB') }),
  'wrong: twice': object({ a: named('Region'), b: object({ c: named('REGION') }) }),
  'wrong: at the root': object({}, named('Region', 'object')),
  ...Object.fromEntries(
    ['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames']
      .concat(['not', 'if', 'then', 'else'])
      .map((keyword) => [`wrong: ${keyword}`, object({ a: { type: 'array', [keyword]: named('Region') } })]),
  ),
  ...Object.fromEntries(
    ['prefixItems', 'oneOf', 'anyOf', 'allOf'].map((keyword) => [
      `wrong: ${keyword}`,
      object({}, { [keyword]: [{ properties: { a: named('Region') } }] }),
    ]),
  ),
  ...Object.fromEntries(
    ['patternProperties', 'dependentSchemas', '$defs', 'definitions'].map((keyword) => [
      `wrong: ${keyword}`,
      object({}, { [keyword]: { a: named('Region') } }),
    ]),
  ),
};

describe('the rule for x-mcp-header', () => {
  it('is that of the official client', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const tools = Object.entries(SCHEMAS).map(([name, schema]) => toolOf(name, schema));
    const { url } = await serveScript(({ method }) => (method === 'tools/list' ? toolsOf(...tools) : undefined));
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
    const shown = (await client.listTools()).tools.map(({ name }) => name);
    expect(shown).toEqual(Object.keys(SCHEMAS).filter((name) => !name.startsWith('wrong')));
    expect(tools.filter(hasAllowedHeaders).map(({ name }) => name)).toEqual(shown);
  });

  it('takes what is no tool, and what is nested without an end', () => {
    let schema: Json = {};
    for (let depth = 0; depth < 100_000; depth += 1) schema = { not: schema };
    expect([undefined, 'tool', {}, { inputSchema: 7 }, { inputSchema: schema }].map(hasAllowedHeaders)).toEqual(
      Array(5).fill(true),
    );
  });
});

describe('a tool that clients must leave out', () => {
  const listing = (params: Json) => {
    const n = Number(params['cursor'] ?? 0);
    const tool = n === 3 ? toolOf('hidden', SCHEMAS['wrong: number']) : toolOf(`tool-${n}`);
    // After page 3 it goes round, which no client reads through.
    return { ...COMPLETE, ttlMs: 0, cacheScope: 'private', tools: [tool], nextCursor: `${n === 3 ? 1 : n + 1}` };
  };

  it('is found on every page that is read, also where the list has no end', async () => {
    const { url } = await serveScript(({ method, params }) => {
      if (method === 'tools/list') return { result: listing(params) };
      return method === 'server/discover' ? undefined : { error: { code: -32601, message: 'No' } };
    });
    const { finding, report } = await diagnose([url.href]);
    expect(finding('declared')['seen']).toContain('tools: clients must leave out hidden, for its x-mcp-header');
    expect(finding('pages')['verdict']).toBe('problem');
    expect(report['clients'].at(-1)['tools']).toEqual(['tool-0', 'tool-1', 'tool-2']);
  });
});
