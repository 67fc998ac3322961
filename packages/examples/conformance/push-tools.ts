/**
 * Tools that ask by a request of their own, in the way of SDK v1, which revision 2026-07-28 has no more. The suite looks
 * at them on 2025-11-25 only.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { textResult } from '../src/handlers/text.ts';

type FormSchema = ElicitRequestFormParams['requestedSchema'];

const PROMPT = { prompt: z.string() };
const MESSAGE = { message: z.string() };

const PERSON: FormSchema = {
  type: 'object',
  properties: { username: { type: 'string' }, email: { type: 'string' } },
  required: ['username', 'email'],
};

const DEFAULTS: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];

const ENUMS: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
};

export function addPushTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: "Asks the client's model", inputSchema: PROMPT },
    async ({ prompt }, { requestId, signal }) => {
      const answer = await server.server.createMessage(
        { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
        { relatedRequestId: requestId, signal },
      );
      return textResult(
        answer.content.type === 'text' ? answer.content.text : 'The model says something else than text.',
      );
    },
  );

  server.registerTool(
    'test_elicitation',
    { description: 'Asks a person', inputSchema: MESSAGE },
    async ({ message }, { requestId, signal }) => {
      const asked = { message, requestedSchema: PERSON };
      return described(await server.server.elicitInput(asked, { relatedRequestId: requestId, signal }));
    },
  );

  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks a person with every field filled in' },
    async ({ requestId, signal }) => {
      const asked = { message: 'Is this right?', requestedSchema: DEFAULTS };
      return described(await server.server.elicitInput(asked, { relatedRequestId: requestId, signal }));
    },
  );

  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'Asks a person to choose, in every way there is' },
    async ({ requestId, signal }) => {
      const asked = { message: 'Please choose.', requestedSchema: ENUMS };
      return described(await server.server.elicitInput(asked, { relatedRequestId: requestId, signal }));
    },
  );
}

function described({ action, content }: ElicitResult) {
  return textResult(`${action}: ${JSON.stringify(content ?? {})}`);
}
