import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const failed = (said: string) => ({ ...text(said), isError: true });

const codec = createRequestStateCodec({
  key: '0123456789abcdef0123456789abcdef',
  bind: ({ mcpReq }) => mcpReq.method,
});

/** What vector-factory.ts serves, on the official SDK v2: the other side of a comparison. */
export function createOfficialVectorServer(): McpServer {
  const server = new McpServer(
    { name: 'vectors', version: '1' },
    { requestState: { verify: (state, ctx) => codec.verify(state, ctx) } },
  );
  const none = { inputSchema: z.object({}) };

  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async (args) => text(args.text));

  server.registerTool('ask_name', none, async (_args, ctx: ServerContext) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'who');
    if (answer.kind === 'elicit' && answer.action === 'decline') return failed('declined');
    if (answer.kind === 'elicit' && answer.action === 'cancel') return failed('cancelled');
    const content = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'who');
    if (content !== undefined) return text(`Hello ${content.name}`);
    const requestedSchema = z.object({ name: z.string() });
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
      requestState: await codec.mint({ asked: 'who' }, ctx),
    });
  });

  server.registerTool('connect', none, async (_args, ctx: ServerContext) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'auth');
    if (answer.kind === 'elicit') return answer.action === 'accept' ? text('opened') : failed(answer.action);
    const url = 'https://mcp.example.com/connect';
    return inputRequired({ inputRequests: { auth: inputRequired.elicitUrl({ message: 'Sign in', url }) } });
  });

  server.registerTool('summarize', none, async (_args, ctx: ServerContext) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'sum');
    if (answer.kind === 'sampling') {
      const [block] = [answer.result.content].flat();
      return text(block?.type === 'text' ? block.text : '');
    }
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];
    return inputRequired({ inputRequests: { sum: inputRequired.createMessage({ messages, maxTokens: 50 }) } });
  });

  server.registerTool('wait', none, async (_args, ctx: ServerContext) => {
    if (ctx.mcpReq.requestState() !== undefined) return text('done');
    return inputRequired({ requestState: await codec.mint({ waited: true }, ctx) });
  });

  server.registerTool('broken', none, async () => ({ resultType: 'input_required' }) as never);

  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  const limit = z.int().meta({ 'x-mcp-header': 'Limit' }).optional();
  server.registerTool('query', { inputSchema: z.object({ region, limit }) }, async () => text('ok'));

  const uri = 'file:///cfg.json';
  server.registerResource('cfg', uri, {}, async () => ({ contents: [{ uri, text: '{}' }] }));

  server.registerPrompt('brief', {}, async (ctx: ServerContext) => {
    const topic = acceptedContent<{ t: string }>(ctx.mcpReq.inputResponses, 'topic')?.t;
    if (topic !== undefined) return { messages: [{ role: 'user', content: { type: 'text', text: topic } }] };
    const requestedSchema = z.object({ t: z.string() });
    return inputRequired({ inputRequests: { topic: inputRequired.elicit({ message: 'Topic?', requestedSchema }) } });
  });

  return server;
}
