import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { z } from 'zod';
import type { Json } from '../support/json.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import type { Report } from './modern-factories.ts';

const text = (said: unknown) => ({
  content: [{ type: 'text' as const, text: typeof said === 'string' ? said : JSON.stringify(said) }],
});

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** Calls that wait for each other, of whatever instance. */
let meeting: { readonly both: Promise<void>; readonly meet: () => void } | undefined;
function meet(): Promise<void> {
  if (meeting !== undefined) {
    const { both, meet: arrive } = meeting;
    meeting = undefined;
    arrive();
    return both;
  }
  let arrive: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  meeting = { both, meet: arrive };
  return both;
}

/** Everything of a server but asking. */
export function createFeatureServer(sdk: SdkName, report: Report) {
  const { McpServer, ResourceTemplate, types } = sdkNamed(sdk);
  const server = new McpServer(
    { name: 'features', version: '1', title: 'All features' },
    { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: 'Use them all.' },
  );
  const { server: protocol } = server;

  server.registerTool('echo', { inputSchema: { text: z.string() } }, async (args) => text(args.text));

  server.registerTool('steps', { inputSchema: { to: z.number() } }, async ({ to }, { _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken as string;
    for (let progress = 1; progress <= to; progress += 1) {
      // Not awaited: the result must not overtake it.
      void sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: to } });
    }
    return text('done');
  });

  server.registerTool('log', { inputSchema: { how: z.string() } }, async ({ how }, { sendNotification }) => {
    for (const level of LEVELS) {
      const params = { level, logger: how, data: level };
      if (how === 'extra') await sendNotification({ method: 'notifications/message', params });
      else await server.sendLoggingMessage(params);
    }
    return text('logged');
  });

  server.registerTool('wait', {}, async ({ signal, sendNotification, requestId }) => {
    // The first frame, so that the client has something to go away from.
    await sendNotification({ method: 'notifications/progress', params: { progressToken: 'w', progress: 1 } });
    report({ waiting: requestId });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await sendNotification({ method: 'notifications/progress', params: { progressToken: 'w', progress: 2 } }).catch(
      () => undefined,
    );
    await server.sendLoggingMessage({ level: 'emergency', data: 'late' }).catch(() => undefined);
    report({ aborted: true });
    return text('late');
  });

  server.registerTool('extra', {}, async (extra) => {
    const { authInfo, requestInfo, _meta, sessionId } = extra;
    const { clientId, extra: more } = authInfo ?? {};
    const headers = requestInfo?.headers as Json | undefined;
    return text({
      caller: authInfo === undefined ? null : { clientId, more },
      header: headers?.['x-vendor'] ?? null,
      path: (requestInfo as { readonly url?: URL } | undefined)?.url?.pathname ?? null,
      meta: _meta ?? null,
      sessionId: sessionId ?? null,
    });
  });

  server.registerTool('client', { inputSchema: { meets: z.boolean().optional() } }, async ({ meets }) => {
    const before = protocol.getClientCapabilities();
    if (meets) await meet();
    return text({ before, after: protocol.getClientCapabilities(), name: protocol.getClientVersion()?.name });
  });

  server.registerTool('sign_in', { inputSchema: { pages: z.number() } }, async ({ pages }) => {
    const elicitations = Array.from({ length: pages }, (_, index) => ({
      mode: 'url' as const,
      message: `Sign in ${index + 1}`,
      url: `https://mcp.example.com/${index + 1}`,
      elicitationId: `id-${index + 1}`,
    }));
    throw new types.UrlElicitationRequiredError(elicitations);
  });

  server.registerTool('off', {}, async () => text('never')).disable();

  // Says of another tool what SDK v1 says of one that is not there.
  server.registerTool('liar', {}, async () => ({ ...text('MCP error -32602: Tool liar not found'), isError: true }));

  server.registerTool('change', { inputSchema: { what: z.string(), uri: z.string().optional() } }, async (args) => {
    if (args.what === 'tools') server.sendToolListChanged();
    else if (args.what === 'prompts') server.sendPromptListChanged();
    else if (args.what === 'resources') server.sendResourceListChanged();
    else await protocol.sendResourceUpdated({ uri: args.uri ?? '' });
    return text('changed');
  });

  server.registerPrompt(
    'brief',
    {
      argsSchema: {
        language: completable(z.string(), (value) =>
          ['english', 'estonian', 'latin'].filter((l) => l.startsWith(value)),
        ),
      },
    },
    async ({ language }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Brief in ${language}` } }] }),
  );

  server.registerResource('cfg', 'file:///cfg.json', {}, async (uri) => ({
    contents: [{ uri: uri.href, text: '{}' }],
  }));
  server.registerResource(
    'page',
    new ResourceTemplate('page:///{name}', { list: undefined, complete: { name: () => ['one', 'two'] } }),
    {},
    async (uri, { name }) => {
      if (name === 'gone') throw new types.McpError(-32002, 'Resource not found');
      return { contents: [{ uri: uri.href, text: `Page ${String(name)}` }] };
    },
  );
  protocol.setRequestHandler(types.SubscribeRequestSchema, async ({ params }) => {
    report({ subscribed: params.uri });
    return {};
  });
  protocol.setRequestHandler(types.UnsubscribeRequestSchema, async ({ params }) => {
    report({ unsubscribed: params.uri });
    return {};
  });

  const sum = z.object({ method: z.literal('acme/sum'), params: z.object({ terms: z.array(z.number()) }) });
  protocol.setRequestHandler(sum, async ({ params }) => ({ sum: params.terms.reduce((left, right) => left + right) }));
  const hello = z.object({ method: z.literal('notifications/acme/hello'), params: z.object({ from: z.string() }) });
  protocol.setNotificationHandler(hello, async ({ params }) => {
    report({ hello: params.from });
    // No request is under way then.
    if (params.from === 'a timer') server.sendToolListChanged();
  });

  return server;
}
