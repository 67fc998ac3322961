import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { createDeployServer } from 'mcp-dual-era-examples/deploy-server.ts';
import { deleteBranch, serveBranches } from 'mcp-dual-era-examples/guide/both-eras.ts';
import { drainOnTerm, startBounded, warnWhenFull } from 'mcp-dual-era-examples/guide/operating.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
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
