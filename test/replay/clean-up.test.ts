import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { answering, askText } from './questions.ts';
import { type Act, eventsOf, play, serveBody } from './replay-session.ts';

/** A handler that keeps a file while it asks, and the folders that its runs made and those they have cleaned up. */
function keepingFile() {
  const made: string[] = [];
  const cleaned: string[] = [];
  const body = async (act: Act) => {
    const folder = await mkdtemp(join(tmpdir(), 'replay-'));
    made.push(folder);
    await writeFile(join(folder, 'draft'), 'draft');
    try {
      return await askText(act, 'Publish?');
    } finally {
      await rm(folder, { recursive: true });
      cleaned.push(folder);
    }
  };
  return { made, cleaned, body };
}

describe('[P2c] a handler that cleans up a temporary file in a finally', () => {
  it('does so in every run, also in one that was suspended', async () => {
    const { made, cleaned, body } = keepingFile();
    const { answer } = await play(serveBody(body), answering({ 'Publish?': 'yes' }));
    expect(textOf(answer)).toBe('yes');
    expect(made).toHaveLength(2);
    while (cleaned.length < 2) await turn();
    expect(made.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('is reported as one that went on where its clean-up takes a while: SDK v1 no longer tells when it ends', async () => {
    const { cleaned, body } = keepingFile();
    const served = serveBody(body);
    await play(served, answering({ 'Publish?': 'yes' }));
    while (cleaned.length < 2) await turn();
    expect(eventsOf(served, 'continued-after-suspend')).toHaveLength(1);
  });
});
