import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import {
  cachedValidator,
  createHolds,
  createRequestStateCodec,
  inMemorySingleUseStore,
  type PoolInput,
  sizeWorkerPool,
  withInputRequiredShim,
} from 'mcp-dual-era';
import { redisSingleUseStore } from 'mcp-dual-era/redis';
import { createMcpHandler, serveStdio } from 'mcp-dual-era/serve';
import { expect, it } from 'vitest';

const create = () => new McpServer({ name: 'x', version: '1' });

const KEY = 'k'.repeat(32);
const CODEC = /^options must have no members but keys, .*\ballowEphemeralKey, ports, got "key"$/;
const POOL: PoolInput = {
  callsPerSecond: 1,
  rounds: 1,
  answerTime: { mean: 1_000, shape: 'exponential' },
  target: { refused: 0.01 },
};

it.each<[string, () => unknown, RegExp]>([
  ['createHolds', () => createHolds({ maximum: 20 } as never), /^options must .*\bmax, .*, got "maximum"$/],
  ['the shim', () => withInputRequiredShim(create(), { maxRound: 3 } as never), /\bmaxRounds, .*, got "maxRound"$/],
  [
    'the serving entry',
    () => createMcpHandler(create, { holds: createHolds() } as never),
    /\binputRequired, .*, got "holds"$/,
  ],
  [
    'its sessions',
    () => createMcpHandler(create, { sessions: { maximum: 3 } } as never),
    /^sessions must .*, got "maximum"$/,
  ],
  [
    'its requestState',
    () => createMcpHandler(create, { inputRequired: { requestState: { key: KEY } as never } }),
    CODEC,
  ],
  ['a codec', () => createRequestStateCodec({ key: KEY } as never), CODEC],
  [
    'a store in memory',
    () => inMemorySingleUseStore({ max: 5 } as never),
    /^options must have no members but maxEntries, ports, got "max"$/,
  ],
  [
    'a store on Redis',
    () => redisSingleUseStore({ set: async () => 'OK' }, { keyPrefix: 'x:' } as never),
    /^options must have no members but prefix, timeout, ports, got "keyPrefix"$/,
  ],
  [
    'cachedValidator',
    () => cachedValidator(new AjvJsonSchemaValidator(), { max: 5 } as never),
    /^options must have no members but maxEntries, got "max"$/,
  ],
  [
    'sizeWorkerPool',
    () => sizeWorkerPool({ ...POOL, roundTimeoutMs: 5 } as never),
    /^input must have .* requestLimit, target, got "roundTimeoutMs"$/,
  ],
  ['serveStdio', () => serveStdio(create, { allowedHosts: ['x'] } as never), /^options must .*, got "allowedHosts"$/],
])('an option that %s does not have is refused, naming those it has', (_name, use, message) => {
  expect(use).toThrow(TypeError);
  expect(use).toThrow(message);
});
