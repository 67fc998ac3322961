import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { connectPeer, type Extra, said } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';

const FORMS = { capabilities: { elicitation: {} } };
const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const ask = () =>
  inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) } });

function greet(extra: Extra) {
  const name = inputContext(extra).accepted<{ name: string }>('who')?.name;
  return name === undefined ? ask() : said(`Hello ${name}`);
}

/** A server with a task store, and three tools that ask: as a task's result, instead of a task, and without tasks. */
async function connect() {
  const taskStore = new InMemoryTaskStore();
  onTestFinished(() => taskStore.cleanup());
  const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
  const server = new McpServer({ name: 'own', version: '1' }, { capabilities, taskStore });
  const noTask = { getTask: () => Promise.reject(new Error('none')), getTaskResult: () => Promise.resolve(said('-')) };
  server.experimental.tasks.registerToolTask(
    'result',
    { execution: { taskSupport: 'optional' } },
    {
      createTask: async (extra) => {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 1 });
        await extra.taskStore.storeTaskResult(task.taskId, 'completed', greet(extra));
        return { task };
      },
      getTask: (extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: async (extra) => (await extra.taskStore.getTaskResult(extra.taskId)) as never,
    },
  );
  server.experimental.tasks.registerToolTask(
    'instead',
    { execution: { taskSupport: 'optional' } },
    {
      createTask: async (extra) => greet(extra) as never,
      ...noTask,
    },
  );
  server.registerTool('plain', {}, greet);
  withInputRequiredShim(server);
  return connectPeer(server, FORMS);
}

/** The next message but the notices of SDK v1 about its tasks. */
async function nextOf(peer: Peer): Promise<Json> {
  for (;;) {
    const message = await peer.next();
    if (message['method'] !== 'notifications/tasks/status') return message;
  }
}

describe('a tool of a server with tasks (F26)', () => {
  it.each(['instead', 'plain'])(
    'is refused with a reason when it asks instead of creating the task: %s',
    async (tool) => {
      const peer = await connect();
      await peer.callTool(tool, {}, { task: { ttl: 60_000 } });
      const answer = await nextOf(peer);
      expect(answer['error'].code).toBe(-32602);
      expect(answer['error'].message).toMatch(/Invalid task creation result/);
    },
  );

  it('is refused with a reason when the result of its task is an ask', async () => {
    const peer = await connect();
    await peer.callTool('result', {}, { task: { ttl: 60_000 } });
    const { taskId } = (await nextOf(peer))['result'].task;
    await peer.request('tasks/result', { taskId });
    expect((await nextOf(peer))['error']).toEqual({
      code: -32603,
      message:
        'tasks/result cannot ask: only the handlers of tools/call, prompts/get and resources/read may return an ask',
    });
  });

  it.each(['result', 'plain'])('asks when it is called without a task: %s', async (tool) => {
    const peer = await connect();
    await peer.callTool(tool);
    const leg = await nextOf(peer);
    expect(leg['params'].message).toBe('Your name?');
    await peer.answer(leg, ADA);
    expect((await nextOf(peer))['result'].content).toEqual([{ type: 'text', text: 'Hello Ada' }]);
  });
});
