import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { addBookingTool, addGeneratedTool, addReleaseTool } from 'mcp-dual-era-examples/guide/asking.ts';
import { callPatiently, outcomeOf } from 'mcp-dual-era-examples/guide/client.ts';
import { addDropTool } from 'mcp-dual-era-examples/guide/confirming.ts';
import { addReportTool } from 'mcp-dual-era-examples/guide/four-kinds.ts';
import { addRenameAfter, addRenameBefore } from 'mcp-dual-era-examples/guide/from-elicit-input.ts';
import { addTicketTool } from 'mcp-dual-era-examples/guide/reading-answers.ts';
import { addCountTool, addInviteTool } from 'mcp-dual-era-examples/guide/recipes.ts';
import { addFoldersTool, addHeadlineTool } from 'mcp-dual-era-examples/guide/sampling.ts';
import { addFiguresTool } from 'mcp-dual-era-examples/guide/sign-in.ts';
import {
  createOneServerCodec,
  createServerWithKeys,
  createSharedCodec,
  createTenantCodec,
} from 'mcp-dual-era-examples/guide/state.ts';
import { createSwitchedServer, explainTwice, watchedServer } from 'mcp-dual-era-examples/guide/switching.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { read } from '../contract/quotes.ts';
import { nodeArgs } from '../support/child.ts';
import { spawnServer } from '../support/spawn-server.ts';

const fileOf = (name: string): string => fileURLToPath(import.meta.resolve(`mcp-dual-era-examples/${name}`));

async function connect(
  server: McpServer,
  answers: unknown[],
): Promise<{
  client: Client;
  call: (name: string, args?: Record<string, unknown>) => Promise<string>;
  asked: string[];
}> {
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
  const call = async (name: string, args?: Record<string, unknown>): Promise<string> => {
    const result = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
    return result.content[0]?.text ?? '';
  };
  return { client, call, asked };
}

function serverWith(add: (server: McpServer) => void): McpServer {
  const server = withInputRequiredShim(new McpServer({ name: 'guide', version: '1' }));
  add(server);
  return server;
}

describe('the demo', () => {
  it('exits 0 with the expected results, equal in both eras', { timeout: 120_000 }, async () => {
    const child = spawn(process.execPath, nodeArgs(fileOf('demo/main.ts')), { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    expect(output).toContain('Every result is the expected one, and every server has ended.');
    expect(output).toContain('elicitation/create');
    expect(output).toContain('All 10 results are equal in both eras.');
    // The question, as a request on the left and as the answer to the call on the right.
    expect(output).toMatch(/← {3}elicitation\/create Deploy build-1 .+ │ ← └ asks confirm: Deploy build-1 /);
    expect(output).toMatch(/→ {3}└ answer accept .+ │ → tools\/call confirm: accept /);
    expect(output.match(/= equal results/g)).toHaveLength(10);
  });
});

it('the picture of the README is what a run looks like now', { timeout: 60_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sequences-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'sequences.svg');
  const child = spawn(process.execPath, [...nodeArgs(fileOf('demo/draw-sequences.ts')), file], { stdio: 'inherit' });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  // Drawn anew by `pnpm --filter mcp-dual-era-examples draw "$PWD/docs/images/sequences.svg"`.
  expect(await readFile(file, 'utf8')).toBe(read('docs/images/sequences.svg'));
});

describe('the first example of the guide', () => {
  it('deletes on an explicit yes, and on nothing else', async () => {
    const { peer, child, exited } = spawnServer(fileOf('guide/start.ts'));
    onTestFinished(() => void child.kill('SIGKILL'));
    await peer.handshake({ capabilities: { elicitation: {} } });
    const texts: string[] = [];
    for (const result of [
      { action: 'accept', content: { confirmed: true } },
      { action: 'accept', content: { confirmed: false } },
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

const accept = (content?: Record<string, unknown>) => ({ action: 'accept', content });

describe('the examples of the page on asking', () => {
  const plan = {
    name: 'Autumn',
    contact: 'ada@example.com',
    day: '2026-09-22',
    servers: 4,
    urgency: 'low',
    channel: 'beta',
    regions: ['europe', 'asia'],
  };

  it('ask a form with every type of field, and fill in its defaults', async () => {
    const answers = [accept(plan), accept({ ...plan, regions: [] }), { action: 'decline' }];
    const { call, asked } = await connect(serverWith(addReleaseTool), answers);
    expect(await call('plan_release')).toBe('Autumn (beta, 0.5) goes to europe and asia on 2026-09-22.');
    expect(await call('plan_release')).toBe('No release was planned.');
    expect(await call('plan_release')).toBe('No release was planned.');
    expect(asked).toEqual(['Plan the release.', 'Plan the release.', 'Plan the release.']);
  });

  it('ask with zod, and hold the answer to its refinements', async () => {
    const answers = [
      accept({ email: 'Ada@Example.com', from: '2026-05-02', to: '2026-05-01' }),
      accept({ email: 'Ada@Example.com', from: '2026-05-02', to: '2026-05-03' }),
    ];
    const { call, asked } = await connect(serverWith(addBookingTool), answers);
    expect(await call('book_room')).toBe('Booked for ada@example.com: 1, 2026-05-02 to 2026-05-03.');
    expect(asked).toEqual(['Book a room.', 'Book a room.\n\nThe last day is before the first']);
  });

  it('ask an unusable answer at most twice more', async () => {
    const wrong = accept({ email: 'ada@example.com', from: '2026-05-02', to: '2026-05-01' });
    const { client, asked } = await connect(serverWith(addBookingTool), [wrong, wrong, wrong, wrong]);
    const result = await client.callTool({ name: 'book_room' });
    expect(outcomeOf(result)).toMatchObject({ reason: 'repeated-ask', key: 'booking', round: 4 });
    expect(asked).toHaveLength(3);
  });

  it('ask with the schema that a generator wrote', async () => {
    const { call } = await connect(serverWith(addGeneratedTool), [accept({ title: ' Week 48 ' })]);
    expect(await call('name_report')).toBe('The report is called "Week 48".');
  });
});

describe('the example of the page on confirming', () => {
  it('acts on an explicit yes, and on nothing else', async () => {
    const dropped: string[] = [];
    const server = serverWith((added) => addDropTool(added, (table) => dropped.push(table)));
    const answers = [accept({ confirmed: false }), { action: 'decline' }, { action: 'cancel' }, accept(), accept({})];
    const { call, asked } = await connect(server, [...answers, accept({ confirmed: true })]);
    for (const _no of answers) expect(await call('drop_table', { table: 'old' })).toBe('The table old was kept.');
    expect(dropped).toEqual([]);
    expect(await call('drop_table', { table: 'old' })).toBe('The table old is gone.');
    expect(dropped).toEqual(['old']);
    expect(new Set(asked)).toEqual(new Set(['Drop the table old for good?']));
  });
});

describe('the example of a sign-in', () => {
  it('goes on when the page is done, and tells the client', async () => {
    const tickets: string[] = [];
    const signIns = {
      begin: () => 'ticket-1',
      finished: async (ticket: string) => {
        tickets.push(ticket);
        return tickets.length === 1 ? 'Ada' : undefined;
      },
    };
    const server = serverWith((added) => addFiguresTool(added, signIns));
    const { client, call, asked } = await connect(server, [accept(), accept(), { action: 'decline' }]);
    const completed: string[] = [];
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      completed.push(params.elicitationId);
    });
    expect(await call('read_figures')).toBe('These are the figures for Ada.');
    expect(completed).toEqual([expect.any(String)]);
    expect(await call('read_figures')).toBe('The sign-in was not finished in time.');
    expect(await call('read_figures')).toBe('You are not signed in.');
    expect(tickets).toEqual(['ticket-1', 'ticket-1']);
    expect(completed).toHaveLength(1);
    expect(new Set(asked)).toEqual(new Set(['Sign in to read the figures.']));
  });
});

describe('the recipes', () => {
  it('ask the model and the client', async () => {
    const server = serverWith((added) => {
      addHeadlineTool(added);
      addFoldersTool(added);
    });
    const { call } = await connect(server, []);
    expect(await call('headline', { text: 'Nothing happened' })).toBe('A quiet week.');
    expect(await call('folders')).toBe('file:///home/ada');
  });

  it('take the safe way where the server is not wrapped', async () => {
    const server = new McpServer({ name: 'bare', version: '1' });
    addHeadlineTool(server);
    addFoldersTool(server);
    const { call } = await connect(server, []);
    expect(await call('headline', { text: 'Nothing happened' })).toBe('Nothing happened');
    expect(await call('folders')).toMatch(/^This call needs input from a person, and no middleware was there/);
  });

  it('ask within a tool that has an outputSchema', async () => {
    const answers = [accept({ text: 'three little words' }), { action: 'decline' }];
    const { client } = await connect(serverWith(addCountTool), answers);
    await client.listTools();
    expect(await client.callTool({ name: 'count_words' })).toMatchObject({ structuredContent: { words: 3 } });
    expect(await client.callTool({ name: 'count_words' })).toMatchObject({ isError: true });
  });

  it('ask one thing after the other', async () => {
    const answers = [
      accept({ name: 'Ada' }),
      accept({ day: '2026-12-10' }),
      accept({ name: 'Ada' }),
      { action: 'cancel' },
    ];
    const { call, asked } = await connect(serverWith(addInviteTool), [...answers, { action: 'decline' }]);
    expect(await call('invite')).toBe('Ada is invited for 2026-12-10.');
    expect(await call('invite')).toBe('Ada was not invited.');
    expect(await call('invite')).toBe('Nobody was invited.');
    expect(asked.slice(0, 2)).toEqual(['Who is invited?', 'When does Ada come?']);
  });
});

describe('the move from elicitInput', () => {
  it.each([
    ['before', addRenameBefore],
    ['after', addRenameAfter],
  ])('%s: the tool does the same on a wrapped server', async (_when, add) => {
    const { call, asked } = await connect(serverWith(add), [accept({ name: 'b' }), { action: 'decline' }]);
    expect(await call('rename', { file: 'a' })).toBe('a is called b now.');
    expect(await call('rename', { file: 'a' })).toBe('Nothing was renamed.');
    expect(asked).toEqual(['What is a to be called?', 'What is a to be called?']);
  });
});

describe('the example client', () => {
  it('calls patiently, and tells why a call was refused', async () => {
    const server = createSwitchedServer(false);
    addTicketTool(server);
    server.registerPrompt('ask', {}, () => inputRequired({ inputRequests: { where: inputRequired.listRoots() } }));
    const { client } = await connect(server, []);
    const refused = await callPatiently(client, { name: 'open_ticket' });
    expect(outcomeOf(refused)).toMatchObject({ reason: 'shim-off', target: 'open_ticket' });
    const error = await client.getPrompt({ name: 'ask' }).catch((thrown: unknown) => thrown);
    expect(outcomeOf(error)).toMatchObject({ reason: 'shim-off', method: 'prompts/get', target: 'ask' });
    expect(outcomeOf({ content: [] })).toBe(undefined);
  });
});

describe('the examples of a state', () => {
  const KEYS = ['0123456789abcdef0123456789abcdef'];
  const CALL = { method: 'tools/call', params: { name: 'transfer' } };

  it('keep what was shown for the run that acts on it', async () => {
    const answers = [{ action: 'accept', content: { confirmed: true } }, { action: 'decline' }];
    const { call, asked } = await connect(createServerWithKeys(KEYS), answers);
    expect(await call('transfer', { from: 'rent', to: 'food' })).toBe('Transferred 120.');
    expect(await call('transfer', { from: 'rent', to: 'food' })).toBe('Nothing was transferred.');
    expect(asked).toEqual(['Transfer 120 from rent to food?', 'Transfer 120 from rent to food?']);
  });

  it('use a state once, in one process and over a shared store', async () => {
    const taken = new Set<string>();
    const client = {
      set: async (key: string) => (taken.size === taken.add(key).size ? null : 'OK'),
    };
    for (const codec of [createOneServerCodec(KEYS), createSharedCodec(KEYS, client)]) {
      const state = await codec.mint({ amount: 1 }, CALL);
      expect(await codec.verify(state, CALL)).toEqual({ amount: 1 });
      await expect(codec.verify(state, CALL)).rejects.toThrow('Invalid or expired requestState');
    }
  });

  it('bind a state to a tenant', async () => {
    const codec = createTenantCodec(KEYS);
    const callOf = (tenant: string) => ({ ...CALL, authInfo: { clientId: 'app', extra: { tenant } } });
    const state = await codec.mint('mine', callOf('a'));
    expect(await codec.verify(state, callOf('a'))).toBe('mine');
    expect(() => codec.verify(state, callOf('b'))).toThrow('Invalid or expired requestState');
  });
});
