/** A tool with a question of each kind, and clients that do everything but answer; with node:test. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext } from 'mcp-dual-era';
import {
  accept,
  cancel,
  checkReentrancy,
  decline,
  disconnect,
  fail,
  formatReentrancy,
  never,
  raw,
  roots,
  runOnBothEras,
  type Script,
  sample,
  type TestFactory,
} from 'mcp-dual-era/testing';
import { addReportTool } from '../guide/four-kinds.ts';
import { textResult } from '../handlers/text.ts';

function createReportServer(): McpServer {
  const server = new McpServer({ name: 'reports', version: '1.0.0' });
  addReportTool(server);
  return server;
}

// #region clients
const request = { method: 'tools/call', params: { name: 'report' } } as const;
const willing = {
  title: accept({ title: 'Week 48' }),
  'sign-in': accept(),
  draft: sample('A calm week.'),
  folders: roots(['file:///reports']),
};
const noReport = { content: [{ type: 'text', text: 'There is no report: not every question was answered.' }] };

const clients: [what: string, answers: Script['answers'], ending: string][] = [
  ['says no', { ...willing, title: decline() }, 'result'],
  ['dismisses the page', { ...willing, 'sign-in': cancel() }, 'result'],
  ['sends roots that are none', { ...willing, folders: raw({ roots: 'everywhere' }) }, 'result'],
  ['has no model', { ...willing, draft: fail(-32603, 'Out of tokens') }, 'client-error'],
  ['never answers', { ...willing, title: never() }, 'timeout'],
  ['goes away', { ...willing, folders: disconnect() }, 'disconnected'],
];

describe('report', () => {
  it('is written for a client that answers everything', async () => {
    const { modern, differences } = await runOnBothEras(createReportServer, { request, answers: willing });
    assert.deepEqual(differences, []);
    assert.deepEqual(modern.result, { content: [{ type: 'text', text: 'Week 48: A calm week. (1 folder)' }] });
  });

  for (const [what, answers, ending] of clients) {
    it(`is not written for a client that ${what}`, async () => {
      const { handshake, modern, differences } = await runOnBothEras(createReportServer, { request, answers });
      assert.deepEqual(differences, []);
      assert.deepEqual([handshake.ending, modern.ending], [ending, ending]);
      if (ending === 'result') assert.deepEqual(modern.result, noReport);
    });
  }
});
// #endregion clients

// #region effects
it('a count above the question is found to happen again', async () => {
  const createCounter: TestFactory = ({ effects }) => {
    const server = new McpServer({ name: 'counters', version: '1.0.0' });
    server.registerTool('count', {}, (extra) => {
      effects.note('counted');
      const ctx = inputContext(extra);
      return ctx.confirm('sure', { message: 'Count?' }).ask ?? textResult('Counted.');
    });
    return server;
  };
  const script = {
    request: { method: 'tools/call', params: { name: 'count' } },
    answers: [accept({ confirmed: true })],
  } as const;
  const report = await checkReentrancy(createCounter, script);
  assert.match(formatReentrancy(report), /^- counted /m);
});
// #endregion effects
