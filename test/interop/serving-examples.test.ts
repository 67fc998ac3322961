import { once } from 'node:events';
import { createApp, mountAfter, mountBefore } from 'mcp-dual-era-examples/moving/http.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listenNode } from '../serve/node-server.ts';
import { ENVIRONMENT, exampleProcess, startExample } from './example-process.ts';
import { type Connected, connect, type EraName, type Target } from './serving-clients.ts';

const HEADERS = { authorization: 'Bearer a-token' };

const ERAS: readonly EraName[] = ['handshake', 'modern'];
const REVISIONS = { handshake: '2025-11-25', modern: '2026-07-28' };

// Each of these starts a process or two, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** Asks for a deployment and says yes; what came back, and what was asked. */
async function deploy(client: Connected) {
  const result = await client.call('deploy', { environment: 'production' });
  return { result, asked: client.asked };
}

const DEPLOYED = {
  result: { content: [{ type: 'text', text: 'Deployed build-1 to production.' }] },
  asked: ['Deploy build-1 to production?'],
};

describe.each(['stdio-server', 'serving/stdio'])('the example %s', (name) => {
  it('asks and deploys the same in both eras, and ends with its client', async () => {
    const results = [];
    for (const era of ERAS) {
      const client = await connect(era, exampleProcess(name));
      onTestFinished(() => client.close());
      expect(client.revision).toBe(REVISIONS[era]);
      results.push(await deploy(client));
      await client.close();
    }
    expect(results).toEqual([DEPLOYED, DEPLOYED]);
  });
});

describe.each(['http-server', 'serving/node', 'serving/express', 'serving/fastify'])('the example %s', (name) => {
  it('asks and deploys the same in both eras, and closes on SIGTERM', async () => {
    const results = [];
    for (const era of ERAS) {
      const { child, url } = await startExample(name);
      const client = await connect(era, { url, headers: HEADERS });
      expect(client.revision).toBe(REVISIONS[era]);
      results.push(await deploy(client));
      // With the client's streams open.
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      await client.close();
    }
    expect(results).toEqual([DEPLOYED, DEPLOYED]);
  });
});

describe('the example serving/express', () => {
  it('knows its callers by their token', async () => {
    const { url } = await startExample('serving/express');
    for (const headers of [{}, { authorization: 'Bearer another' }]) {
      const response = await fetch(url, { method: 'POST', headers, body: '{}' });
      expect(response.status).toBe(401);
    }
  });
});

describe('the example serving/web-standard', () => {
  it('asks and deploys the same in both eras, at once', async () => {
    for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { default: worker } = await import('mcp-dual-era-examples/serving/web-standard.ts');
    const target: Target = {
      url: new URL('https://mcp.example.com/mcp'),
      fetch: (input, init) => worker.fetch(new Request(input, init)),
    };
    const clients = [await connect('handshake', target), await connect('modern', target)];
    onTestFinished(() => Promise.all(clients.map((client) => client.close())).then(() => undefined));
    expect(clients.map(({ revision }) => revision)).toEqual(['2025-11-25', '2026-07-28']);
    const [first, second] = await Promise.all(clients.map(deploy));
    expect(first).toEqual(DEPLOYED);
    // One process, and a newer build.
    expect(JSON.stringify(second)).toBe(JSON.stringify(first).replaceAll('build-1', 'build-2'));
  });
});

describe('the examples of moving a server', () => {
  it('are the same for handshake clients, before and after, and serve modern ones after', async () => {
    const texts: unknown[] = [];
    for (const [mount, eras] of [
      [mountBefore, ['handshake']],
      [mountAfter, ERAS],
    ] as const) {
      const { url, close } = await listenNode(createApp(mount));
      onTestFinished(close);
      for (const era of eras) {
        const client = await connect(era, { url });
        texts.push(await client.call('add_note', { text: 'Milk' }));
        await client.close();
      }
    }
    // Kept outside of the factory, the notes are one list for all.
    expect(JSON.stringify(texts)).toMatch(/1 notes.+2 notes.+3 notes/);
  });

  it.each([
    ['stdio-before', ['handshake']],
    ['stdio-after', ERAS],
  ] as const)('%s serves its eras on stdio', async (name, eras) => {
    for (const era of eras) {
      const client = await connect(era, exampleProcess(`moving/${name}`));
      onTestFinished(() => client.close());
      expect(await client.call('add_note', { text: 'Milk' })).toEqual({ content: [{ type: 'text', text: '1 notes' }] });
    }
  });
});
