/** Tools that the suite calls to see what the server around them does. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { textOf, textResult } from '../src/handlers/text.ts';
import { askModel } from './questions.ts';

export function addDiagnosticTools(server: McpServer): void {
  server.registerTool('test_missing_capability', { description: 'Cannot do without a model' }, (extra) => {
    const answer = inputContext(extra).samplingResult('answer');
    if (answer !== undefined) return textResult(textOf(answer));
    return inputRequired({ inputRequests: { answer: askModel('Say anything') } });
  });

  server.registerTool('test_streaming_elicitation', { description: 'Says that nothing needs asking' }, () =>
    textResult('Nothing needs asking.'),
  );

  server.registerTool('test_logging_tool', { description: 'Logs one line' }, async (extra) => {
    const params = { level: 'info', data: 'For those who asked for the log' } as const;
    await extra.sendNotification({ method: 'notifications/message', params });
    return textResult('Logged one line.');
  });

  server.registerTool('test_trigger_tool_change', { description: 'Announces other tools' }, () => {
    server.sendToolListChanged();
    return textResult('Announced.');
  });

  server.registerTool('test_trigger_prompt_change', { description: 'Announces other prompts' }, () => {
    server.sendPromptListChanged();
    return textResult('Announced.');
  });
}
