import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Each secret as it is, and as it would look in the usual encodings. */
export const inEveryEncoding = (secrets: readonly string[]): readonly string[] =>
  secrets.flatMap((secret) => [
    secret,
    ...(['base64url', 'base64', 'hex'] as const).map((encoding) =>
      // Without its end, which depends on what comes behind it.
      Buffer.from(secret).toString(encoding).slice(0, 24),
    ),
  ]);

/** Expects none of `secrets` in anything that was said, however it is looked at. */
export function expectNone(secrets: readonly string[], said: readonly unknown[]): void {
  const texts = said.flatMap((one) => [inspect(one, { depth: 10, showHidden: true }), String(one), json(one)]);
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** What the process says, during each test of the file, to whoever listens: on its outputs, and as warnings. */
export function listenToProcess(): { readonly said: unknown[] } {
  const said: unknown[] = [];
  const onWarning = (warning: Error): void => void said.push(warning);

  beforeEach(() => {
    said.length = 0;
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => said.push(String(chunk)) > 0);
    }
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation((...args) => void said.push(...args));
    }
    process.on('warning', onWarning);
  });

  afterEach(() => {
    process.off('warning', onWarning);
    vi.restoreAllMocks();
  });

  return { said };
}
