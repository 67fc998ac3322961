import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { raw, runOnBothEras } from 'mcp-dual-era/testing';
import { createDeployServer } from 'mcp-dual-era-examples/deploy-server.ts';
import { addArchiveTool } from 'mcp-dual-era-examples/guide/confirm-by-hand.ts';
import { startPlugin } from 'mcp-dual-era-examples/guide/one-transport.ts';
import { drainOnTerm, startBounded, warnWhenFull } from 'mcp-dual-era-examples/guide/operating.ts';
import { addRenameTool } from 'mcp-dual-era-examples/guide/raw-answers.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { read } from '../contract/quotes.ts';
import { mirroredPost } from '../serve/mirrored-post.ts';
import { modern } from '../serve/modern-message.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { Peer } from '../support/peer.ts';
import { StreamClient } from '../support/stream-client.ts';
import { exampleProcess } from './example-process.ts';
import { connect } from './serving-clients.ts';

it('the example of docs/operating.md lets a held call finish over HTTP, and then ends', async () => {
  const bounded = startBounded(createDeployServer);
  const { holds, http } = bounded;
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const before = process.listeners('SIGTERM');
  drainOnTerm(bounded);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const client = new StreamClient(new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`));
  onTestFinished(() => client.close());
  const peer = new Peer(client, client.inbox);
  await peer.handshake({ capabilities: { elicitation: {} } });
  await peer.callTool('deploy', { environment: 'production' });
  const leg = await peer.next();
  const warnings: string[] = [];
  warnWhenFull(holds, 1, (message) => warnings.push(message));
  expect(warnings[0]).toMatch(/^1 of 1 places are taken/);

  const ended = new Promise((resolve) => http.once('close', resolve));
  // As the signal would: it is this very process that serves.
  const [drain] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  process.removeListener('SIGTERM', drain as () => void);
  drain?.('SIGTERM');
  await vi.waitFor(() => expect(holds.stats().isDraining).toBe(true));
  await peer.answer(leg, { action: 'decline' });
  expect((await peer.next())['result'].content[0].text).toBe('Not deployed.');
  await vi.waitFor(() => expect(said.mock.calls.flat()).toContain('1 held calls finished, 0 were ended'));
  await client.close();
  http.closeAllConnections();
  await ended;
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}

describe('the branch server of the README', () => {
  it('is asked over HTTP by the client of docs/serving.md', async () => {
    const { command, args, env } = exampleProcess('guide/serve-http');
    const port = String(await freePort());
    const server = spawn(command, args, { env: { ...env, PORT: port }, stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void server.kill('SIGKILL'));
    const [url] = await once(createInterface({ input: server.stderr }), 'line');
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    const client = exampleProcess('guide/ask-modern');
    const { stdout } = await promisify(execFile)(client.command, [...client.args, url], { env: client.env });
    expect(stdout).toMatch(/^2026-07-28\nDelete the branch old\?\n[\s\S]*text: 'Deleted old\.'/);
  });

  it.each(['handshake', 'modern'] as const)('is asked on stdio, on the %s era', async (era) => {
    const client = await connect(era, exampleProcess('guide/serve-stdio'), {
      elicit: () => ({ action: 'accept', content: { confirmed: true } }),
    });
    onTestFinished(() => client.close());
    expect(await client.call('delete_branch', { branch: 'old' })).toEqual({
      content: [{ type: 'text', text: 'Deleted old.' }],
    });
  });

  it('is one in the file that others import and in the first example', () => {
    const bodyIn = (file: string): string =>
      /function createBranchServer[\s\S]*?\n}\n/.exec(read(`packages/examples/src/guide/${file}`))?.[0] ?? file;
    expect(bodyIn('branch-server.ts')).toBe(bodyIn('start.ts'));
  });
});

it.each([
  ['accept', { action: 'accept', content: { name: 'Grace' } }, 'Ada is called Grace now.'],
  ['decline', { action: 'decline' }, 'Ada keeps its name.'],
])('the example that reads as SDK v2 does takes an answer that says %s', async (_what, answer, text) => {
  const createServer = () => {
    const server = new McpServer({ name: 'names', version: '1' });
    addRenameTool(server);
    return server;
  };
  const { handshake, differences } = await runOnBothEras(createServer, {
    request: { method: 'tools/call', params: { name: 'rename', arguments: { from: 'Ada' } } },
    answers: [raw(answer)],
  });
  expect(differences).toEqual([]);
  expect(handshake.result).toEqual({ content: [{ type: 'text', text }] });
});

describe('the form that confirms among other fields', () => {
  const createServer = () => {
    const server = new McpServer({ name: 'archive', version: '1' });
    addArchiveTool(server);
    return server;
  };
  const params = { name: 'archive_project', arguments: { project: 'apollo' } };

  it.each([
    ['ticked', { action: 'accept', content: { sure: true, reason: 'done' } }, 'Archived apollo: done'],
    ['not ticked', { action: 'accept', content: { sure: false, reason: 'done' } }, 'apollo was kept.'],
    ['declined', { action: 'decline' }, 'apollo was kept.'],
  ])('archives on an explicit yes alone: %s', async (_what, answer, text) => {
    const request = { method: 'tools/call' as const, params };
    const { handshake, differences } = await runOnBothEras(createServer, { request, answers: [raw(answer)] });
    expect(differences).toEqual([]);
    expect(handshake.result).toEqual({ content: [{ type: 'text', text }] });
  });

  it('asks where a modern client answers unasked', async () => {
    const handler = createMcpHandler(createServer);
    onTestFinished(() => handler.close());
    const inputResponses = { approval: { action: 'accept', content: { sure: true, reason: 'mine' } } };
    const message = modern('tools/call', { ...params, inputResponses }, { capabilities: { elicitation: {} } });
    const { result } = (await (await handler.fetch(mirroredPost(message, {}))).json()) as Json;
    expect(result.inputRequests.approval.params.message).toBe('Archive the project apollo?');
  });
});

it('the example of one transport has a server asked that was never wrapped', async () => {
  const server = createDeployServer();
  const plugin = {
    start: async (transport: Transport) => {
      await server.connect(transport);
      return server;
    },
  };
  const connect = async (transport: Transport) => void (await startPlugin(plugin, transport));
  const { peer } = await connectMemory({ server: server.server, connect, close: () => server.close() });
  await peer.handshake({ capabilities: { elicitation: {} } });
  await peer.callTool('deploy', { environment: 'production' });
  const leg = await peer.next();
  expect(leg['method']).toBe('elicitation/create');
  await peer.answer(leg, { action: 'decline' });
  expect((await peer.next())['result'].content[0].text).toBe('Not deployed.');
  await server.close();
});
