import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import type { Json } from '../support/json.ts';
import { ADA } from './host.ts';
import { scriptedProcess } from './scripted-process.ts';
import { ask, form, openStream, said, serveScript } from './scripted-server.ts';

const HOST = fileURLToPath(new URL('hosting-process.ts', import.meta.url));

/** Fails when the host does not end by itself. */
async function runHost(work: Json): Promise<Json[]> {
  const args = [...nodeArgs(HOST), JSON.stringify(work)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Json[];
}

describe('[C4b] a pending ask stored as JSON', () => {
  it('is answered by another process, and each process ends once its clients are closed', async () => {
    const state = 'é\u2028 {"a": 1.0}';
    const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
    const server = await serveScript(
      ({ method, id, params }, response) => {
        if (method === 'subscriptions/listen') {
          const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
          openStream(response)({ method: 'notifications/subscriptions/acknowledged', params: { ...params, _meta } });
        }
        if (method !== 'tools/call') return undefined;
        return 'inputResponses' in params ? said('done') : ask({ who: form() }, state);
      },
      { capabilities },
    );
    const stdio = scriptedProcess('modern');
    const url = { url: server.url.href };
    const asked = await runHost({ targets: [url, stdio.target] });
    await stdio.expectGone();
    expect(asked).toMatchObject([{ era: 'modern', pending: { requestState: state } }, { era: 'modern' }]);
    const answered = await runHost({ targets: [url], pending: asked[0]?.['pending'] });
    expect(answered).toMatchObject([{ era: 'modern', result: { content: [{ text: 'done' }] } }]);
    const [, { params = {} } = {}] = server.toldOf('tools/call');
    expect(params).toMatchObject({
      name: 'ask',
      arguments: { to: 1 },
      inputResponses: { who: ADA },
      requestState: state,
    });
  });
});
