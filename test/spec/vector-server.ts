import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const failed = (said: string) => ({ ...text(said), isError: true });

/** The tools of vectors.json's `fixture` that the exchanges of the handshake era use, on SDK v1. */
export function createVectorServer(sdk: SdkName = 'newest') {
  const { McpServer } = sdkNamed(sdk);
  const server = new McpServer({ name: 'vectors', version: '1' });

  server.registerTool('echo', { inputSchema: { text: z.string() } }, async (args) => text(args.text));

  server.registerTool('ask_name', { inputSchema: {} }, async (_args, extra) => {
    const context = inputContext(extra);
    const answer = context.elicitResult('who');
    if (answer?.action === 'decline') return failed('declined');
    if (answer?.action === 'cancel') return failed('cancelled');
    const name = context.accepted<{ name: string }>('who')?.name;
    if (name !== undefined) return text(`Hello ${name}`);
    const requestedSchema = {
      type: 'object' as const,
      properties: { name: { type: 'string' as const } },
      required: ['name'],
    };
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
      requestState: { asked: 'who' },
    });
  });

  server.registerTool('connect', { inputSchema: {} }, async (_args, extra) => {
    const answer = inputContext(extra).elicitResult('auth');
    if (answer !== undefined) return answer.action === 'accept' ? text('opened') : failed(answer.action);
    const url = 'https://mcp.example.com/connect';
    return inputRequired({ inputRequests: { auth: inputRequired.elicitUrl({ message: 'Sign in', url }) } });
  });

  server.registerTool('summarize', { inputSchema: {} }, async (_args, extra) => {
    const answer = inputContext(extra).samplingResult('sum');
    if (answer !== undefined) {
      const [block] = [answer.content].flat();
      return text(block?.type === 'text' ? block.text : '');
    }
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];
    return inputRequired({ inputRequests: { sum: inputRequired.createMessage({ messages, maxTokens: 50 }) } });
  });

  return withInputRequiredShim(server);
}
