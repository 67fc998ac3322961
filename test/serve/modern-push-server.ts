import { z } from 'zod';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import type { Report } from './modern-factories.ts';

const FORM = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const MESSAGES = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];

/** Handlers of the old way: each asks its client in mid-body, takes a failure for an answer, and goes on to act. */
export function createPushServer(sdk: SdkName, report: Report) {
  const { McpServer, types } = sdkNamed(sdk);
  const server = new McpServer({ name: 'push', version: '1' }, { capabilities: { logging: {} } });
  const { server: protocol } = server;

  const asks: Record<string, (extra: { sendRequest: typeof protocol.request }) => Promise<unknown>> = {
    elicitInput: () => protocol.elicitInput({ message: 'Your name?', requestedSchema: FORM }),
    createMessage: () => protocol.createMessage({ messages: MESSAGES, maxTokens: 50 }),
    listRoots: () => protocol.listRoots(),
    sendRequest: ({ sendRequest }) =>
      sendRequest(
        { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?', requestedSchema: FORM } },
        types.ElicitResultSchema,
      ),
  };

  const act = async (how: string, extra: never) => {
    const { signal, sendNotification } = extra as {
      signal: AbortSignal;
      sendNotification: (notification: object) => Promise<void>;
    };
    try {
      await asks[how]?.(extra);
      report({ answered: how });
    } catch {
      report({ failed: how, isAborted: signal.aborted });
    }
    const progress = { progressToken: 'p', progress: 1 };
    await sendNotification({ method: 'notifications/progress', params: progress }).catch(() => undefined);
    await server.sendLoggingMessage({ level: 'error', data: 'acted' }).catch(() => undefined);
    report({ acted: how });
    return `acted after ${how}`;
  };

  server.registerTool('push', { inputSchema: { how: z.string() } }, async ({ how }, extra) => {
    return { content: [{ type: 'text', text: await act(how, extra as never) }] };
  });
  server.registerPrompt('push', { argsSchema: { how: z.string() } }, async ({ how }, extra) => {
    return { messages: [{ role: 'user', content: { type: 'text', text: await act(how, extra as never) } }] };
  });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text }) => {
    return { content: [{ type: 'text', text }] };
  });
  return server;
}
