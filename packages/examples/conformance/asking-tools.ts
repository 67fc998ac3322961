/** Tools that return one round of questions, and need no state. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { textOf, textResult } from '../src/handlers/text.ts';
import { askModel, askName, nameForm } from './questions.ts';

export function addAskingTools(server: McpServer): void {
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, (extra) => {
    const answer = inputContext(extra).accepted('user_name', nameForm);
    if (answer === undefined) return inputRequired({ inputRequests: { user_name: askName } });
    return textResult(`Hello, ${answer.name}!`);
  });

  server.registerTool('test_input_required_result_sampling', { description: 'Asks a model' }, (extra) => {
    const answer = inputContext(extra).samplingResult('capital_question');
    if (answer !== undefined) return textResult(`The model says: ${textOf(answer)}`);
    return inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?') } });
  });

  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for roots' }, (extra) => {
    const answer = inputContext(extra).rootsResult('client_roots');
    if (answer !== undefined) return textResult(answer.roots.map(({ name, uri }) => name ?? uri).join(', '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });

  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the caller can answer' },
    (extra) => {
      const ctx = inputContext(extra);
      if (ctx.round > 0) return textResult('Answered.');
      const inputRequests = {
        ...(ctx.canAsk('form') && { user_name: askName }),
        ...(ctx.canAsk('sampling') && { greeting: askModel('Generate a greeting') }),
        ...(ctx.canAsk('roots') && { client_roots: inputRequired.listRoots() }),
      };
      if (Object.keys(inputRequests).length === 0) return textResult('There is nothing to ask this caller.');
      return inputRequired({ inputRequests });
    },
  );
}
