import { type InputContext, inputContext, inputRequired } from 'mcp-dual-era';
import { z } from 'zod';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import type { Report } from './modern-factories.ts';

const NAME = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };
const MESSAGES = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

// Of the process: over HTTP each request has a server of its own.
let prices = 0;

/** Handlers that ask with the builder, as their author writes them: none knows of eras. */
export function createAskingServer(sdk: SdkName, report: Report) {
  const { McpServer } = sdkNamed(sdk);
  const server = new McpServer({ name: 'asking', version: '1' });

  const askName = (note?: string) => inputRequired.elicit({ message: 'Your name?', requestedSchema: NAME, note });
  const nameOf = (context: InputContext) => context.accepted<{ name: string }>('who')?.name;

  server.registerTool('all', {}, async (extra) => {
    const context = inputContext(extra);
    if (context.round === 0) {
      return inputRequired({
        inputRequests: {
          who: askName('As in your passport.'),
          auth: inputRequired.elicitUrl({
            message: 'Sign in',
            url: 'https://mcp.example.com/connect',
            elicitationId: 'mine',
          }),
          sum: inputRequired.createMessage({ messages: MESSAGES, maxTokens: 50 }),
          where: inputRequired.listRoots(),
        },
      });
    }
    const [block] = [context.samplingResult('sum')?.content ?? []].flat();
    const root = context.rootsResult('where')?.roots[0]?.uri;
    const isSampled = block?.type === 'text' && block.text;
    return text([nameOf(context), context.elicitResult('auth')?.action, isSampled, root].join(' '));
  });

  // Asks again with a note until the answer is good, and counts in its state.
  server.registerTool('count', { inputSchema: { to: z.number() } }, async ({ to }, extra) => {
    const context = inputContext(extra);
    const said = context.requestState<string[]>() ?? [];
    const name = nameOf(context);
    const names = name === undefined ? said : [...said, name];
    report({ run: 'count', round: context.round });
    if (names.length >= to) return text(`${names.join(' ')} in ${context.round}`);
    return inputRequired({ inputRequests: { who: askName(`${names.length} so far`) }, requestState: names });
  });

  server.registerTool('erase', { inputSchema: { files: z.number() } }, async ({ files }, extra) => {
    report({ run: 'erase' });
    const { ask, decision } = inputContext(extra).confirm('sure', { message: `Erase ${files} files?` });
    if (ask !== undefined) return ask;
    if (decision === 'yes') report({ erased: files });
    return text(decision === 'yes' ? 'erased' : 'kept');
  });

  // Another tool with the very same question.
  server.registerTool('shred', { inputSchema: { files: z.number() } }, async ({ files }, extra) => {
    const { ask, decision } = inputContext(extra).confirm('sure', { message: `Erase ${files} files?` });
    return ask ?? text(String(decision));
  });

  // Its text changes with each run.
  server.registerTool('buy', {}, async (extra) => {
    prices += 1;
    const { ask, decision } = inputContext(extra).confirm('pay', { message: `Pay ${prices}?` });
    return ask ?? text(String(decision));
  });

  // Two confirmations, one after the other: the first decision has to hold.
  server.registerTool('twice', {}, async (extra) => {
    const context = inputContext(extra);
    const first = context.confirm('first', { message: 'First?' });
    if (first.ask !== undefined) return first.ask;
    const second = context.confirm('second', { message: 'Second?' });
    return second.ask ?? text(`${first.decision} ${second.decision} ${context.round}`);
  });

  server.registerTool('minted', {}, async (extra) => {
    const context = inputContext(extra);
    if (context.round > 0) return text(JSON.stringify([context.requestState(), nameOf(context)]));
    const requestState = await context.mintRequestState({ step: 1 });
    return inputRequired({ inputRequests: { who: askName() }, requestState });
  });

  server.registerPrompt('greet', {}, async (extra) => {
    const name = nameOf(inputContext(extra));
    if (name === undefined) return inputRequired({ inputRequests: { who: askName() } });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] };
  });

  server.registerResource('note', 'note://mine', {}, async (uri, extra) => {
    const name = nameOf(inputContext(extra));
    if (name === undefined) return inputRequired({ inputRequests: { who: askName() } });
    return { contents: [{ uri: uri.href, text: `A note of ${name}` }] };
  });

  return server;
}
