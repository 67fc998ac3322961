import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const failed = (said: string) => ({ ...text(said), isError: true });
const schemaOf = <Name extends string>(
  name: Name,
  property: { readonly type: 'string' | 'boolean'; enum?: string[] },
) => ({ type: 'object', properties: { [name]: property }, required: [name] }) as never;

/**
 * A server on SDK v1 with all that vectors.json's `fixture` asks for, as its user writes it: the middleware is put on by
 * what serves it.
 */
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
    const requestedSchema = schemaOf('name', { type: 'string' });
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

  server.registerTool('wizard', { inputSchema: {} }, async (_args, extra) => {
    const context = inputContext(extra);
    const color = context.accepted<{ color: string }>('b')?.color;
    const go = context.accepted<{ go: boolean }>('a')?.go ?? context.requestState<{ go?: boolean }>()?.go;
    if (go !== undefined && color !== undefined) return text(`${go} ${color}`);
    if (go === undefined) {
      const requestedSchema = schemaOf('go', { type: 'boolean' });
      const inputRequests = { a: inputRequired.elicit({ message: 'Go?', requestedSchema }) };
      return inputRequired({ inputRequests, requestState: {} });
    }
    const requestedSchema = schemaOf('color', { type: 'string', enum: ['red', 'blue'] });
    const inputRequests = { b: inputRequired.elicit({ message: 'Which color?', requestedSchema }) };
    return inputRequired({ inputRequests, requestState: { go } });
  });

  server.registerTool('wait', { inputSchema: {} }, async (_args, extra) => {
    if (inputContext(extra).requestState() !== undefined) return text('done');
    return inputRequired({ requestState: { waited: true } });
  });

  server.registerTool('broken', { inputSchema: {} }, async () => {
    return { resultType: 'input_required' } as unknown as CallToolResult;
  });

  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  const limit = z.int().meta({ 'x-mcp-header': 'Limit' }).optional();
  server.registerTool('query', { inputSchema: { region, limit } }, async () => text('ok'));

  const uri = 'file:///cfg.json';
  server.registerResource('cfg', uri, {}, async () => ({ contents: [{ uri, text: '{}' }] }));

  server.registerPrompt('brief', {}, async (extra) => {
    const topic = inputContext(extra).accepted<{ t: string }>('topic')?.t;
    if (topic !== undefined) return { messages: [{ role: 'user', content: { type: 'text', text: topic } }] };
    const requestedSchema = schemaOf('t', { type: 'string' });
    return inputRequired({ inputRequests: { topic: inputRequired.elicit({ message: 'Topic?', requestedSchema }) } });
  });

  return server;
}
