import { beforeEach, describe, expect, it, vi } from 'vitest';

const KEY = '0123456789abcdef0123456789abcdef';

/** As in a process of its own, which has warned of nothing yet. */
async function freshSettings() {
  vi.resetModules();
  return import('../../packages/shim/src/handshake/settings.ts');
}

let settings: Awaited<ReturnType<typeof freshSettings>>;
beforeEach(async () => {
  settings = await freshSettings();
});

it('a round time-out that looks like seconds is warned of, once in a process', () => {
  const warnings: string[] = [];
  const ports = { warn: (message: string) => void warnings.push(message) };
  for (const roundTimeout of [1_000, 999, 30]) settings.settingsOf({ roundTimeout, ports }, true);
  expect(warnings).toEqual([
    'mcp-dual-era: roundTimeout is 999 ms, less than a person needs to answer. Other SDKs count it in seconds.',
  ]);
});

describe('the codec of a server', () => {
  it('can have other keys where its own is made up', () => {
    const { codec, rekey } = settings.settingsOf(undefined, true);
    const other = rekey?.(() => []);
    expect(other).toMatchObject({ mint: expect.any(Function), verify: expect.any(Function) });
    expect(other).not.toBe(codec);
  });

  it.each([
    ['has keys', { keys: KEY }],
    ['is the user’s own', { mint: () => 'sealed', verify: () => 1 }],
  ])('keeps its own where it %s', (_why, requestState) => {
    expect(settings.settingsOf({ requestState }, true).rekey).toBeUndefined();
  });
});
