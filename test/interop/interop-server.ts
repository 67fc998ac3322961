import { inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { z } from 'zod';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

const NAME = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };
const askName = inputRequired.elicit({ message: 'Your name?', requestedSchema: NAME });

/** A server whose tool asks all four kinds of question, and whose prompt and resource ask one. */
export function createInteropServer(sdk: SdkName) {
  const { McpServer } = sdkNamed(sdk);
  const server = new McpServer({ name: 'interop', version: '1' });

  const outputSchema = { said: z.string() };
  server.registerTool('everything', { inputSchema: { to: z.string() }, outputSchema }, async ({ to }, extra) => {
    const context = inputContext(extra);
    const name = context.accepted<{ name: string }>('who')?.name;
    const [block] = [context.samplingResult('sum')?.content ?? []].flat();
    const root = context.rootsResult('where')?.roots[0];
    if (context.round > 0) {
      const said = [
        to,
        name,
        context.elicitResult('auth')?.action,
        block?.type === 'text' && block.text,
        root?.uri,
      ].join(' ');
      return { content: [{ type: 'text', text: said }], structuredContent: { said } };
    }
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];
    return inputRequired({
      inputRequests: {
        who: askName,
        auth: inputRequired.elicitUrl({ message: 'Sign in', url: 'https://mcp.example.com/connect' }),
        sum: inputRequired.createMessage({ messages, maxTokens: 50 }),
        where: inputRequired.listRoots(),
      },
    });
  });

  server.registerTool('insist', { outputSchema }, async () => inputRequired({ inputRequests: { who: askName } }));

  server.registerPrompt('greet', {}, async (extra) => {
    const name = inputContext(extra).accepted<{ name: string }>('who')?.name;
    if (name === undefined) return inputRequired({ inputRequests: { who: askName } });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] };
  });

  server.registerResource('note', 'note://mine', {}, async (uri, extra) => {
    const name = inputContext(extra).accepted<{ name: string }>('who')?.name;
    if (name === undefined) return inputRequired({ inputRequests: { who: askName } });
    return { contents: [{ uri: uri.href, text: `A note of ${name}` }] };
  });

  return withInputRequiredShim(server);
}
