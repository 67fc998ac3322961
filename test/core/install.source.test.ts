import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { withInputRequiredShim, withoutInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { giveHints, hintsOf } from '../../packages/shim/src/handshake/hints.ts';
import { ensureShim, requireFree, settingsOfServer } from '../../packages/shim/src/handshake/install.ts';
import { settingsOf } from '../../packages/shim/src/handshake/settings.ts';

const create = (): McpServer => new McpServer({ name: 'a', version: '1' });

describe('the server of a factory', () => {
  it('must not be connected', async () => {
    const server = create();
    expect(() => requireFree(server)).not.toThrow();
    await server.connect(InMemoryTransport.createLinkedPair()[1]);
    onTestFinished(() => server.close());
    expect(() => requireFree(server)).toThrow(
      expect.objectContaining({
        code: 'ALREADY_CONNECTED',
        message: 'The factory returned a server that is connected. Return a new one for each call.',
      }),
    );
  });

  it.each<[string, (value: never) => unknown]>([
    ['The factory', requireFree],
    ['The serving entry', settingsOfServer],
    ['The serving entry', (value) => ensureShim(value, settingsOf({}, true))],
  ])('must be one of SDK v1: %s says so', (caller, take) => {
    expect(() => take('server' as never)).toThrow(
      expect.objectContaining({
        code: 'NOT_A_SERVER',
        message: `${caller} needs an McpServer or a Server of @modelcontextprotocol/sdk, got "server"`,
      }),
    );
  });

  it('gets the shim, and keeps the options that it was wrapped with', () => {
    const [plain, wrapped, off] = [
      create(),
      withInputRequiredShim(create(), { maxRounds: 7 }),
      withoutInputRequiredShim(create()),
    ];
    const own = [plain, wrapped, off].map(settingsOfServer);
    expect(own.map((settings) => settings?.options.maxRounds)).toEqual([undefined, 7, expect.any(Number)]);
    const settings = settingsOf({ maxRounds: 3 }, true);
    for (const server of [plain, wrapped, off]) ensureShim(server, settings);
    expect([plain, wrapped, off].map(settingsOfServer)).toEqual([settings, own[1], own[2]]);
    ensureShim(plain, settingsOf({ maxRounds: 4 }, true));
    expect(settingsOfServer(plain)).toBe(settings);
  });
});

it('a transport has the hints it was given, unseen', () => {
  const hints = { disconnectGrace: 5 };
  const transport = giveHints({ close: 1 }, hints);
  expect(hintsOf(transport)).toBe(hints);
  expect(Object.keys(transport)).toEqual(['close']);
  expect(hintsOf({})).toEqual({});
});
