/** Tools that return questions with a state, and one that has two rounds of them. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { field, form, inputContext, inputRequired } from 'mcp-dual-era';
import { textOf, textResult } from '../src/handlers/text.ts';
import { askModel, askName, askOk, nameForm, okForm } from './questions.ts';

const STEP = { step: 1 };

const colorForm = form({ color: field.string() });

const askColor = inputRequired.elicit({ message: 'What is your favorite color?', requestedSchema: colorForm });

export function addMultiRoundTools(server: McpServer): void {
  const config = { description: 'Asks for a confirmation, and keeps a state meanwhile' };
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    server.registerTool(name, config, (extra) => {
      const ctx = inputContext(extra);
      const answer = ctx.accepted('confirm', okForm);
      // A state that was tampered with does not come this far: the call has ended with an error.
      if (answer === undefined || ctx.requestState() === undefined) {
        return inputRequired({ inputRequests: { confirm: askOk }, requestState: STEP });
      }
      return textResult(`state-ok, ${answer.ok ? 'confirmed' : 'not confirmed'}`);
    });
  }

  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three kinds of question at once' },
    (extra) => {
      const ctx = inputContext(extra);
      const person = ctx.accepted('user_name', nameForm);
      const greeting = ctx.samplingResult('greeting');
      const folders = ctx.rootsResult('client_roots');
      if (person === undefined || greeting === undefined || folders === undefined) {
        const inputRequests = {
          user_name: askName,
          greeting: askModel('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        };
        return inputRequired({ inputRequests, requestState: STEP });
      }
      return textResult(`${textOf(greeting)} ${person.name} has ${folders.roots.length} roots.`);
    },
  );

  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks one thing after the other' },
    (extra) => {
      const ctx = inputContext(extra);
      // Only the last round's answers come along: what the first one brought is in the state.
      const person = ctx.requestState<{ name?: string }>()?.name ?? ctx.accepted('step1', nameForm)?.name;
      if (person === undefined) return inputRequired({ inputRequests: { step1: askName }, requestState: STEP });
      const answer = ctx.accepted('step2', colorForm);
      if (answer === undefined) {
        return inputRequired({ inputRequests: { step2: askColor }, requestState: { name: person } });
      }
      return textResult(`${person} likes ${answer.color}.`);
    },
  );
}
