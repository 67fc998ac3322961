/** What the demo does, and what must come of it. */
import type { DemoClient } from './client.ts';

export interface Step {
  readonly method: string;
  readonly title: string;
  /** What to see in it; empty where it has been said. */
  readonly story: string;
  readonly run: (client: DemoClient) => Promise<unknown>;
  /** The methods of the questions that reach the client meanwhile, in either era's way. */
  readonly questions: readonly string[];
  readonly result: unknown;
}

export const mainSteps: readonly Step[] = [
  {
    method: 'tools/call',
    title: 'tools/call, accepted',
    story: 'The handler returns a question and ends. The shim asks it, then runs the handler again.',
    run: (client) => client.callTool({ name: 'deploy', arguments: { environment: 'production' } }),
    questions: ['elicitation/create'],
    result: { content: [{ type: 'text', text: 'Deployed build-1 to production.' }] },
  },
  {
    method: 'tools/call',
    title: 'tools/call, declined',
    story: 'A refusal is an answer too: the handler runs again, sees no yes, and deploys nothing.',
    run: (client) => client.callTool({ name: 'deploy', arguments: { environment: 'production' } }),
    questions: ['elicitation/create'],
    result: { content: [{ type: 'text', text: 'Not deployed.' }] },
  },
  {
    method: 'prompts/get',
    title: 'prompts/get',
    story: 'Prompts may ask as well: this one for a choice.',
    run: (client) => client.getPrompt({ name: 'release_notes', arguments: { build: 'build-1' } }),
    questions: ['elicitation/create'],
    result: {
      messages: [{ role: 'user', content: { type: 'text', text: 'Write release notes of build-1 for users.' } }],
    },
  },
  {
    method: 'resources/read',
    title: 'resources/read',
    story: 'So may resources. This one asks no person, but the client: which folders does it offer?',
    run: (client) => client.readResource({ uri: 'deploy://folders' }),
    questions: ['roots/list'],
    result: { contents: [{ uri: 'deploy://folders', mimeType: 'text/plain', text: 'The shop' }] },
  },
];

export const moreSteps: readonly Step[] = [
  {
    method: 'resources/read',
    title: 'resources/read, of a template',
    story: 'The resource is known by a pattern only, and asks for a number.',
    run: (client) => client.readResource({ uri: 'deploy://log/production' }),
    questions: ['elicitation/create'],
    result: {
      contents: [
        {
          uri: 'deploy://log/production',
          mimeType: 'text/plain',
          text: 'error: a payment was refused\ninfo: a cart was paid',
        },
      ],
    },
  },
  {
    method: 'tools/call',
    title: 'tools/call, with sampling',
    story: "This tool asks the client's model to write something.",
    run: (client) => client.callTool({ name: 'summarize', arguments: { build: 'build-1' } }),
    questions: ['sampling/createMessage'],
    result: { content: [{ type: 'text', text: 'Carts last now, and prices are honest.' }] },
  },
];

/** The handshake era alone: a modern client does not send its errors to the server. */
export const failingSteps: readonly Step[] = [
  {
    method: 'tools/call',
    title: 'tools/call, answered with an error',
    story:
      'The client fails to show the question. That is no yes either: the call ends, and the handler does not run again.',
    run: (client) => client.callTool({ name: 'deploy', arguments: { environment: 'staging' } }),
    questions: ['elicitation/create'],
    result: {
      content: [
        {
          type: 'text',
          text: 'The tool deploy was not completed: the client answered its question with an error (the question is "confirm", the code -32603).',
        },
      ],
      isError: true,
      _meta: {
        'mcp-dual-era/outcome': {
          reason: 'client-error',
          key: 'confirm',
          code: -32603,
          method: 'tools/call',
          target: 'deploy',
          round: 1,
        },
      },
    },
  },
];

// #region refused
const refusedDeploy = {
  content: [
    {
      type: 'text',
      text: 'The tool deploy was not completed: it has to ask something that this client cannot answer (it did not declare elicitation.form).',
    },
  ],
  isError: true,
  _meta: {
    'mcp-dual-era/outcome': {
      reason: 'unsupported',
      requiredCapabilities: { elicitation: { form: {} } },
      method: 'tools/call',
      target: 'deploy',
      round: 1,
    },
  },
};
// #endregion refused

export const scriptSteps: readonly Step[] = [
  {
    method: 'tools/call',
    title: 'tools/call, refused',
    story: 'The shim sends no question. It ends the call, and says what the client would have to be able to do.',
    run: (client) => client.callTool({ name: 'deploy', arguments: { environment: 'production' } }),
    questions: [],
    result: refusedDeploy,
  },
  {
    method: 'tools/call',
    title: 'tools/call, another way',
    story: 'This tool has looked with canAsk: where it cannot ask a model, it gives the facts.',
    run: (client) => client.callTool({ name: 'summarize', arguments: { build: 'build-1' } }),
    questions: [],
    result: { content: [{ type: 'text', text: 'build-1 keeps carts; prices include tax' }] },
  },
];
