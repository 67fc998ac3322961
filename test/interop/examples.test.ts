import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { withInputRequiredShim } from 'mcp-dual-era';
import { addReportTool } from 'mcp-dual-era-examples/guide/four-kinds.ts';
import { addTicketTool } from 'mcp-dual-era-examples/guide/reading-answers.ts';
import { createSwitchedServer, explainTwice, watchedServer } from 'mcp-dual-era-examples/guide/switching.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { spawnServer } from '../support/spawn-server.ts';

const fileOf = (name: string): string => fileURLToPath(import.meta.resolve(`mcp-dual-era-examples/${name}`));

async function connect(
  server: McpServer,
  answers: unknown[],
): Promise<{ call: (name: string) => Promise<string>; asked: string[] }> {
  const asked: string[] = [];
  const client = new Client(
    { name: 'reader', version: '1' },
    { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return answers.shift() as never;
  });
  const content = { type: 'text' as const, text: 'A quiet week.' };
  client.setRequestHandler(CreateMessageRequestSchema, () => ({ role: 'assistant', model: 'm', content }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/ada' }] }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  const call = async (name: string): Promise<string> => {
    const result = (await client.callTool({ name })) as { content: { text: string }[] };
    return result.content[0]?.text ?? '';
  };
  return { call, asked };
}

function serverWith(add: (server: McpServer) => void): McpServer {
  const server = withInputRequiredShim(new McpServer({ name: 'guide', version: '1' }));
  add(server);
  return server;
}

describe('the demo', () => {
  it('exits 0 with the expected results', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, nodeArgs(fileOf('demo/main.ts')), { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    expect(output).toContain('Every result is the expected one, and both servers have ended.');
    expect(output).toContain('elicitation/create');
  });
});

describe('the first example of the guide', () => {
  it('deletes on an explicit yes, and on nothing else', async () => {
    const { peer, child, exited } = spawnServer(fileOf('guide/start.ts'));
    onTestFinished(() => void child.kill('SIGKILL'));
    await peer.handshake({ capabilities: { elicitation: {} } });
    const texts: string[] = [];
    for (const result of [
      { action: 'accept', content: { sure: true } },
      { action: 'accept', content: { sure: false } },
      { action: 'decline' },
    ]) {
      await peer.callTool('delete_branch', { branch: 'old' });
      const question = await peer.next();
      expect(question['params'].message).toBe('Delete the branch old?');
      await peer.answer(question, result);
      texts.push((await peer.next())['result'].content[0].text);
    }
    expect(texts).toEqual(['Deleted old.', 'Nothing was deleted.', 'Nothing was deleted.']);
    child.stdin?.end();
    expect(await exited).toBe(0);
  });
});

describe('the examples of the guide', () => {
  it('ask four kinds in one round', async () => {
    const answers = [{ action: 'accept', content: { title: 'Week 48' } }, { action: 'accept' }];
    const { call, asked } = await connect(serverWith(addReportTool), answers);
    expect(await call('report')).toBe('Week 48: A quiet week. (1 folder)');
    expect(asked).toEqual(['What is the report called?', 'Sign in to read the figures.']);
  });

  it('ask again with a note that says what was wrong', async () => {
    const answers = [
      { action: 'accept', content: { title: 'x' } },
      { action: 'accept', content: { title: 'Broken door' } },
    ];
    const { call, asked } = await connect(serverWith(addTicketTool), answers);
    expect(await call('open_ticket')).toBe('Opened "Broken door".');
    expect(asked[0]).toBe('What is the ticket about?');
    expect(asked[1]).toMatch(/^What is the ticket about\?\n\ntitle: /);
  });

  it('switch the shim off and watch it', async () => {
    const reasons: string[] = [];
    const watched = watchedServer((reason) => reasons.push(reason));
    addTicketTool(watched);
    const { call } = await connect(watched, [{ action: 'decline' }]);
    expect(await call('open_ticket')).toBe('No ticket was opened.');
    expect(reasons).toEqual(['answered']);

    const switched = createSwitchedServer(false);
    addTicketTool(switched);
    const off = await connect(switched, []);
    expect(await off.call('open_ticket')).toContain('asking is switched off on this server');
    expect(off.asked).toEqual([]);
  });

  it('tell a second wrapping by its code', () => {
    const server = new McpServer({ name: 'twice', version: '1' });
    expect([explainTwice(server), explainTwice(server)]).toEqual(['wrapped now', 'wrapped before']);
  });
});
