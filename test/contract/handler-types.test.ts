import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  GetPromptRequestSchema,
  type GetPromptResult,
  ReadResourceRequestSchema,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import {
  type InputContext,
  type InputRequired,
  inputContext,
  inputRequired,
  type Outcome,
  withInputRequiredShim,
  withoutInputRequiredShim,
} from 'mcp-dual-era';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

// What is asserted here is asserted by tsc, under strict and exactOptionalPropertyTypes: there is no cast in this file.

const askName = (): InputRequired =>
  inputRequired({
    inputRequests: {
      who: inputRequired.elicit({
        message: 'Your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      }),
      auth: inputRequired.elicitUrl({ message: 'Sign in', url: 'https://mcp.example.com/connect' }),
      sum: inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'Sum up' } }],
        maxTokens: 50,
      }),
      where: inputRequired.listRoots(),
    },
    requestState: { step: 1 },
  });

describe('the type of an ask', () => {
  it('is assignable to the results of the three methods', () => {
    expectTypeOf(askName()).toExtend<CallToolResult>();
    expectTypeOf(askName()).toExtend<GetPromptResult>();
    expectTypeOf(askName()).toExtend<ReadResourceResult>();
    const annotated = async (): Promise<CallToolResult> => askName();
    expect(annotated).toBeTypeOf('function');
  });
});

describe('handlers that return an ask, without a cast', () => {
  const server = new McpServer({ name: 'types', version: '1' });

  it('are taken by registerTool, with their arguments inferred', () => {
    server.registerTool(
      'shape',
      { inputSchema: { count: z.number(), to: z.enum(['a', 'b']) } },
      async (args, extra) => {
        expectTypeOf(args).toEqualTypeOf<{ count: number; to: 'a' | 'b' }>();
        const context = inputContext(extra);
        expectTypeOf(context).toEqualTypeOf<InputContext>();
        if (context.round === 0) return askName();
        return { content: [{ type: 'text', text: String(args.count) }] };
      },
    );
    server.registerTool('object', { inputSchema: z.object({ text: z.string() }) }, async (args, extra) => {
      expectTypeOf(args).toEqualTypeOf<{ text: string }>();
      return inputContext(extra).round === 0 ? askName() : { content: [{ type: 'text', text: args.text }] };
    });
    server.registerTool('none', {}, async (extra) => {
      expectTypeOf(extra.signal).toEqualTypeOf<AbortSignal>();
      return inputContext(extra).round === 0 ? askName() : { content: [] };
    });
    server.registerTool('output', { outputSchema: { n: z.number() } }, async (extra) => {
      return inputContext(extra).round === 0 ? askName() : { content: [], structuredContent: { n: 1 } };
    });
    server.registerTool('only', {}, () => askName());
  });

  it('are taken by registerPrompt, with their arguments inferred', () => {
    server.registerPrompt('prompt', { argsSchema: { topic: z.string() } }, async (args, extra) => {
      expectTypeOf(args).toEqualTypeOf<{ topic: string }>();
      if (inputContext(extra).round === 0) return askName();
      return { messages: [{ role: 'user', content: { type: 'text', text: args.topic } }] };
    });
    server.registerPrompt('bare', {}, async (extra) => {
      return inputContext(extra).round === 0 ? askName() : { messages: [] };
    });
  });

  it('are taken by registerResource, static and template', () => {
    server.registerResource('static', 'x://static', {}, async (uri, extra) => {
      expectTypeOf(uri).toEqualTypeOf<URL>();
      return inputContext(extra).round === 0 ? askName() : { contents: [{ uri: uri.href, text: '' }] };
    });
    const template = new ResourceTemplate('x://{id}', { list: undefined });
    server.registerResource('template', template, {}, async (uri, variables, extra) => {
      expectTypeOf(variables).toEqualTypeOf<Record<string, string | string[]>>();
      return inputContext(extra).round === 0 ? askName() : { contents: [{ uri: uri.href, text: '' }] };
    });
  });

  it('are taken by the setRequestHandler of a low-level Server', () => {
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const low = new Server({ name: 'types', version: '1' }, { capabilities });
    low.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      expectTypeOf(params.name).toEqualTypeOf<string>();
      return inputContext(extra).round === 0 ? askName() : { content: [] };
    });
    low.setRequestHandler(GetPromptRequestSchema, async (_request, extra) =>
      inputContext(extra).round === 0 ? askName() : { messages: [] },
    );
    low.setRequestHandler(ReadResourceRequestSchema, async (_request, extra) =>
      inputContext(extra).round === 0 ? askName() : { contents: [] },
    );
    expectTypeOf(withInputRequiredShim(low)).toEqualTypeOf<Server>();
  });

  it('leave the type of the server as it is', () => {
    expectTypeOf(withInputRequiredShim(server, { maxRounds: 3 })).toEqualTypeOf<McpServer>();
    expectTypeOf(withoutInputRequiredShim(server)).toEqualTypeOf<McpServer>();
  });
});

describe('the types of the readers', () => {
  it('follow from the schema that an answer is read with', () => {
    const context = inputContext({});
    const name = z.object({ name: z.string(), age: z.coerce.number().default(1) });
    expectTypeOf(context.accepted('who', name)).toEqualTypeOf<{ name: string; age: number } | undefined>();
    expectTypeOf(context.accepted('who')).toEqualTypeOf<Record<string, unknown> | undefined>();
    expectTypeOf(context.requestState<{ step: number }>()).toEqualTypeOf<{ step: number } | undefined>();
    const response = context.response('who', name);
    if (response.kind === 'elicit')
      expectTypeOf(response.content).toEqualTypeOf<{ name: string; age: number } | undefined>();
    if (response.kind === 'failed') expectTypeOf(response.reason).toEqualTypeOf<'client-error' | 'malformed'>();
    expectTypeOf<Outcome['reason']>().toExtend<string>();
  });

  it('refuse what cannot be asked', () => {
    // @ts-expect-error a field cannot be an object
    inputRequired.elicit({ message: 'x', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } });
    // @ts-expect-error a URL question needs its URL
    inputRequired.elicitUrl({ message: 'x' });
    // @ts-expect-error there is no such kind
    inputContext({}).canAsk('voice');
    // @ts-expect-error a wrong option; caught at run time too
    expect(() => withInputRequiredShim(new McpServer({ name: 'x', version: '1' }), { legs: 'parallel' })).toThrow(
      RangeError,
    );
  });
});
