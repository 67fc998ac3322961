import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { raw, runOnBothEras } from 'mcp-dual-era/testing';
import { createDeployServer } from 'mcp-dual-era-examples/deploy-server.ts';
import { deleteBranch, serveBranches } from 'mcp-dual-era-examples/guide/both-eras.ts';
import { startPlugin } from 'mcp-dual-era-examples/guide/one-transport.ts';
import { drainOnTerm, startBounded, warnWhenFull } from 'mcp-dual-era-examples/guide/operating.ts';
import { addRenameTool } from 'mcp-dual-era-examples/guide/raw-answers.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { connectMemory } from '../support/connect-memory.ts';
import { Peer } from '../support/peer.ts';
import { StreamClient } from '../support/stream-client.ts';

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

it('the example of both eras is asked by a client on 2026-07-28', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const http = serveBranches(() => {
    const server = new McpServer({ name: 'branches', version: '1' });
    server.registerTool('delete_branch', { inputSchema: { branch: z.string() } }, ({ branch }, extra) => {
      const answer = z.object({ sure: z.boolean() });
      const isSure = inputContext(extra).accepted('sure', answer)?.sure === true;
      if (isSure) return { content: [{ type: 'text', text: `Deleted ${branch}.` }] };
      const sure = inputRequired.elicit({ message: 'Sure?', requestedSchema: answer });
      return inputRequired({ inputRequests: { sure } });
    });
    return server;
  });
  await new Promise((resolve) => http.once('listening', resolve));
  const { port } = http.address() as AddressInfo;
  expect(await deleteBranch(`http://127.0.0.1:${port}/mcp`)).toEqual([{ type: 'text', text: 'Deleted old.' }]);
  expect(said).toHaveBeenCalledWith('2026-07-28');
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
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
