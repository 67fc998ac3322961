import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnServer } from '../support/spawn-server.ts';

const SERVER = fileURLToPath(new URL('../support/stdin-end-server.ts', import.meta.url));

/** Calls `tools`, waits until `questions` have come, ends stdin, and returns what came afterwards and how it exited. */
async function endStdin(tools: readonly string[], questions: number) {
  const { peer, child, exited } = spawnServer(SERVER);
  onTestFinished(() => void child.kill('SIGKILL'));
  await peer.handshake({ capabilities: { elicitation: {} } });
  for (const tool of tools) await peer.callTool(tool);
  for (let question = 0; question < questions; question += 1) {
    expect((await peer.next())['method']).toBe('elicitation/create');
  }
  // Answered last, so that every call before it is running.
  const ping = await peer.request('ping', {});
  expect((await peer.next())['id']).toBe(ping);
  child.stdin?.end();
  const start = performance.now();
  const code = await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 2_000, 'still running'))]);
  const after = (await peer.rest(20)).map((message) => message['result']?.content[0].text ?? message['method']);
  return { code, after, ms: performance.now() - start };
}

describe('[H10c] the end of stdin', () => {
  it('lets the process exit by itself with a question open', async () => {
    const { code, after, ms } = await endStdin(['ask'], 1);
    expect(code).toBe(0);
    expect(after).toEqual([]);
    expect(ms).toBeLessThan(2_000);
  });

  it("lets the process exit by itself with a handler in SDK v1's own elicitInput", async () => {
    const { code, after, ms } = await endStdin(['elicit'], 1);
    expect(code).toBe(0);
    expect(after).toEqual([]);
    expect(ms).toBeLessThan(2_000);
  });

  it('lets a running handler finish and writes its result before the process exits', async () => {
    const { code, after } = await endStdin(['finish', 'ask'], 1);
    expect(code).toBe(0);
    expect(after).toEqual(['finished']);
  });

  it('lets a running handler finish while another is in elicitInput', async () => {
    const { code, after } = await endStdin(['finish', 'elicit'], 1);
    expect(code).toBe(0);
    expect(after).toEqual(['finished']);
  });

  it('lets the process exit when a running handler asks only then', async () => {
    const { code } = await endStdin(['ask-late'], 0);
    expect(code).toBe(0);
  });

  it('lets an idle process exit', async () => {
    const { code, after } = await endStdin([], 0);
    expect(code).toBe(0);
    expect(after).toEqual([]);
  });
});
