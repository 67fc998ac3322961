import { connectDualEra } from 'mcp-dual-era/client';
import { describe, expect, it } from 'vitest';
import { createHost } from './host.ts';

const NOWHERE = new URL('http://127.0.0.1:9/mcp');
type Wrong = readonly [options: unknown, type: typeof TypeError | typeof RangeError, message: string];
const SAFE = Number.MAX_SAFE_INTEGER;
const ONLY = 'options must have no members but mode, inputRequired, maxRounds, probeTimeout';

describe('[C1c] the options of connectDualEra', () => {
  it.each([
    [null, TypeError, 'options must be an object, got null'],
    [[], TypeError, 'options must be an object, got an array'],
    ['secret', TypeError, 'options must be an object, got a string'],
    [7, TypeError, 'options must be an object, got 7'],
    [{ maxRound: 3 }, TypeError, `${ONLY}, got "maxRound"`],
    [{ mode: 1 }, TypeError, "mode must be 'auto' or 'modern' or 'handshake', got 1"],
    [{ mode: null }, TypeError, "mode must be 'auto' or 'modern' or 'handshake', got null"],
    [{ mode: 'legacy' }, RangeError, "mode must be 'auto' or 'modern' or 'handshake', got \"legacy\""],
    [{ inputRequired: true }, TypeError, "inputRequired must be 'answer' or 'return', got true"],
    [{ inputRequired: 'ask' }, RangeError, "inputRequired must be 'answer' or 'return', got \"ask\""],
    [{ maxRounds: '8' }, TypeError, 'maxRounds must be a number, got "8"'],
    [{ maxRounds: null }, TypeError, 'maxRounds must be a number, got null'],
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map(
      (value) =>
        [{ maxRounds: value }, RangeError, `maxRounds must be an integer from 1 to ${SAFE}, got ${value}`] as const,
    ),
    [{ probeTimeout: '1s' }, TypeError, 'probeTimeout must be a number, got "1s"'],
    ...[0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648].map(
      (value) =>
        [
          { probeTimeout: value },
          RangeError,
          `probeTimeout must be an integer from 1 to 2147483647, got ${value}`,
        ] as const,
    ),
  ] as readonly Wrong[])('are refused: %j', async (options, type, message) => {
    const error = await connectDualEra(createHost().client, NOWHERE, options as never).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect(error.message).toBe(message);
  });
});

describe('the target of connectDualEra', () => {
  it.each([
    [undefined, 'got undefined'],
    [null, 'got null'],
    [7, 'got 7'],
    [[], 'got an array'],
    [{}, 'got an object'],
    [{ url: 'nowhere' }, 'got an object'],
    [{ url: 7 }, 'got an object'],
    [{ command: 7 }, 'got an object'],
    [{ command: undefined, args: [] }, 'got an object'],
  ])('is refused: %j', async (target, got) => {
    const error = await connectDualEra(createHost().client, target as never).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`target must be a URL, { url } or { command }, ${got}`);
  });

  it.each([
    [
      { url: NOWHERE, headers: { authorization: 'Bearer secret-word' } },
      'url, requestInit, authProvider, fetch, got "headers"',
    ],
    [{ url: NOWHERE, command: undefined }, 'url, requestInit, authProvider, fetch, got "command"'],
    [{ command: 'node', arguments: ['server.js'] }, 'command, args, env, cwd, stderr, got "arguments"'],
    [{ command: 'node', url: NOWHERE }, 'command, args, env, cwd, stderr, got "url"'],
  ])('is refused with a member that would count for nothing: %#', async (target, message) => {
    const error = await connectDualEra(createHost().client, target as never).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`target must have no members but ${message}`);
  });

  it.each(['http://user:secret-word@host/mcp', '/usr/bin/server --key secret-word'])(
    'is refused as a text, which may hold a secret: %s',
    async (target) => {
      const error = await connectDualEra(createHost().client, target as never).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toMatch(/, got a string$/);
    },
  );

  it.each(['file:///etc/passwd', 'ws://127.0.0.1:9', 'data:,x'])('is refused where it is no HTTP: %s', async (url) => {
    for (const target of [new URL(url), { url }, { url: new URL(url) }]) {
      const error = await connectDualEra(createHost().client, target).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(RangeError);
      expect(error.message).toMatch(/http.*, got (file|ws|data):$/);
    }
  });
});
