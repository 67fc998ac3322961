/** Prompts of every kind, and one that asks. */
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GetPromptResult } from '@modelcontextprotocol/sdk/types.js';
import { field, form, inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import { PNG } from './samples.ts';

const WORDS = ['testing', 'tested', 'paris', 'park'];

const TWO_ARGUMENTS = {
  arg1: completable(z.string(), (typed) => WORDS.filter((word) => word.startsWith(typed))),
  arg2: z.string(),
};

const RESOURCE = { resourceUri: z.string() };

const contextForm = form({ context: field.string() });

const askContext = inputRequired.elicit({
  message: 'What context should the prompt use?',
  requestedSchema: contextForm,
});

export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () => textPrompt('A simple prompt.'));

  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A prompt with two arguments', argsSchema: TWO_ARGUMENTS },
    ({ arg1, arg2 }) => textPrompt(`The arguments are ${arg1} and ${arg2}.`),
  );

  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt with a resource', argsSchema: RESOURCE },
    ({ resourceUri }) => {
      const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'The content of the resource.' };
      return { messages: [{ role: 'user', content: { type: 'resource', resource } }] };
    },
  );

  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image' }, () => ({
    messages: [{ role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } }],
  }));

  server.registerPrompt('test_input_required_result_prompt', { description: 'A prompt that asks' }, (extra) => {
    const answer = inputContext(extra).accepted('user_context', contextForm);
    if (answer === undefined) return inputRequired({ inputRequests: { user_context: askContext } });
    return textPrompt(`Keep in mind: ${answer.context}`);
  });
}

function textPrompt(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
