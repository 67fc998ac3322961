/** A round with a question of each kind. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { textOf, textResult } from '../handlers/text.ts';

export function addReportTool(server: McpServer): void {
  server.registerTool('report', {}, (extra) => {
    const ctx = inputContext(extra);
    if (ctx.round > 0) {
      const [form, page] = [ctx.accepted<{ title: string }>('title'), ctx.elicitResult('sign-in')];
      const [text, folders] = [ctx.samplingResult('draft'), ctx.rootsResult('folders')];
      if (form === undefined || page?.action !== 'accept' || text === undefined || folders === undefined) {
        return textResult('There is no report: not every question was answered.');
      }
      return textResult(`${form.title}: ${textOf(text)} (${folders.roots.length} folder)`);
    }
    // #region kinds
    return inputRequired({
      inputRequests: {
        title: inputRequired.elicit({
          message: 'What is the report called?',
          requestedSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        }),
        'sign-in': inputRequired.elicitUrl({
          message: 'Sign in to read the figures.',
          url: 'https://figures.example.com/sign-in',
        }),
        draft: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Draft one sentence about this week.' } }],
          maxTokens: 60,
        }),
        folders: inputRequired.listRoots(),
      },
    });
    // #endregion kinds
  });
}
