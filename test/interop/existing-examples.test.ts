import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { DualEraEvent } from 'mcp-dual-era';
import { createMcpHandler, type HttpServeOptions, type McpHandler } from 'mcp-dual-era/serve';
import { createIncidents } from 'mcp-dual-era-examples/existing/incidents.ts';
import { addPlanTool } from 'mcp-dual-era-examples/existing/plan-tool.ts';
import { addReportTool, addReportToolBefore } from 'mcp-dual-era-examples/existing/report-tool.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exampleProcess, startExample } from './example-process.ts';
import { type Answers, type Connected, connect, type EraName, type Target } from './serving-clients.ts';

// Each of these starts a process or two, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const ERAS: readonly EraName[] = ['handshake', 'modern'];
const REVISIONS = { handshake: '2025-11-25', modern: '2026-07-28' };

/** Says that it is bad, and that Ada takes it; or no to the questions that `declines` knows. */
const answersOf = (declines: RegExp): Answers => ({
  elicit: ({ message }) => {
    if (declines.test(message)) return { action: 'decline' };
    return { action: 'accept', content: /How bad/.test(message) ? { severity: 'high' } : { owner: 'Ada' } };
  },
});

const text = (line: string) => ({ content: [{ type: 'text', text: line }] });

const TARGETS: Record<string, () => Promise<Target>> = {
  stdio: async () => exampleProcess('existing/stdio'),
  HTTP: async () => ({ url: (await startExample('existing/http')).url }),
};

const CALLS: readonly (readonly [tool: string, declines: RegExp, result: string, asked: readonly string[]])[] = [
  ['report_incident', /^$/, 'INC-1 (high) is open. Ada takes it.', ['How bad is it?', 'Who takes INC-1?']],
  ['report_incident', /How bad/, 'Nothing was reported.', ['How bad is it?']],
  ['report_incident', /Who/, 'INC-2 is open, and nobody takes it.', ['How bad is it?', 'Who takes INC-2?']],
  ['plan_drill', /^$/, 'A drill (high), led by Ada.', ['How bad is it to be?', 'Who leads it?']],
  ['plan_drill', /Who/, 'There is no drill.', ['How bad is it to be?', 'Who leads it?']],
];

describe.each(Object.entries(TARGETS))('the example of an existing server, %s', (_transport, start) => {
  it.each(ERAS)('asks and ends the same as in the other era: %s', async (era) => {
    let declines = /^$/;
    const client = await connect(era, await start(), { elicit: (params) => answersOf(declines).elicit(params) });
    onTestFinished(() => client.close());
    expect(client.revision).toBe(REVISIONS[era]);
    for (const [tool, no, result, asked] of CALLS) {
      declines = no;
      expect(await client.call(tool, { title: 'Down' })).toEqual(text(result));
      expect(client.asked.splice(0)).toEqual(asked);
    }
  });
});

describe('what docs/existing-servers.md says of them, for a modern client', () => {
  it('with once, one incident is opened', async () => {
    const { client, incidents, events } = await connectModern(addReportTool);
    expect(await client.call('report_incident', { title: 'Down' })).toEqual(
      text('INC-1 (high) is open. Ada takes it.'),
    );
    expect(incidents.count).toBe(1);
    expect(events).toEqual([]);
  });

  it('without once, each run opens another one, and what it asks is never answered', async () => {
    const { client, incidents } = await connectModern(addReportToolBefore);
    await expect(client.call('report_incident', { title: 'Down' })).rejects.toThrow();
    expect(incidents.count).toBeGreaterThan(2);
    expect(client.asked.slice(0, 4)).toEqual([
      'How bad is it?',
      'Who takes INC-1?',
      'Who takes INC-2?',
      'Who takes INC-3?',
    ]);
  });

  it('by default, the first question ends the request, and the operator hears of it', async () => {
    const { client, incidents, events } = await connectModern(addReportTool, { pushCalls: 'reject' });
    await expect(client.call('report_incident', { title: 'Down' })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('docs/existing-servers.md'),
    });
    expect([client.asked, incidents.count]).toEqual([[], 0]);
    expect(events).toMatchObject([{ type: 'error', method: 'tools/call', target: 'report_incident' }]);
  });

  it.each([
    ['reject', 2, 2],
    // Each run but the last one waits for good.
    ['pending', 2, 1],
  ] as const)('suspend: %s, the finally block of a suspended run', async (suspend, taken, returned) => {
    const counts = { taken: 0, returned: 0 };
    const add = (server: McpServer) =>
      addPlanTool(server, () => {
        counts.taken += 1;
        return () => {
          counts.returned += 1;
        };
      });
    const { client, events } = await connectModern(add, { suspend });
    expect(await client.call('plan_drill', {})).toEqual(text('A drill (high), led by Ada.'));
    expect(counts).toEqual({ taken, returned });
    expect(events).toEqual([]);
  });
});

async function connectModern(
  add: (server: McpServer, incidents: ReturnType<typeof createIncidents>) => void,
  options: HttpServeOptions = {},
): Promise<{ client: Connected; incidents: ReturnType<typeof createIncidents>; events: DualEraEvent[] }> {
  const incidents = createIncidents();
  const events: DualEraEvent[] = [];
  const factory = () => {
    const server = new McpServer({ name: 'incidents', version: '1' });
    add(server, incidents);
    return server;
  };
  const inputRequired = { onEvent: (event: DualEraEvent) => void events.push(event) };
  const handler: McpHandler = createMcpHandler(factory, { pushCalls: 'replay', inputRequired, ...options });
  const url = new URL('http://localhost/mcp');
  const client = await connect(
    'modern',
    { url, fetch: (input, init) => handler.fetch(new Request(input, init)) },
    answersOf(/^$/),
  );
  onTestFinished(async () => {
    await client.close();
    await handler.close();
  });
  return { client, incidents, events };
}
