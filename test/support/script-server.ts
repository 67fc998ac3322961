import {
  type AskKind,
  type DualEraEvent,
  type InputRequiredOptions,
  inputContext,
  withInputRequiredShim,
  withoutInputRequiredShim,
} from 'mcp-dual-era';
import { z } from 'zod';
import type { Json } from './json.ts';
import { type SdkName, sdkNamed } from './sdk.ts';

const KINDS: AskKind[] = ['form', 'url', 'sampling', 'sampling.tools', 'roots'];

export interface ScriptServerSettings {
  readonly options?: Omit<InputRequiredOptions, 'onEvent'> | undefined;
  /** `off`: withoutInputRequiredShim. */
  readonly mode?: 'shim' | 'off';
  readonly sdk?: SdkName;
}

/** What a script server reports to its test. */
export interface ScriptLog {
  readonly event: (event: DualEraEvent) => void;
  /** Called at each run of a handler, with the target. */
  readonly run: (target: string) => void;
}

/**
 * A real `McpServer` whose handlers do what the call says: the argument `script` is a list of asks, returned one a
 * round; after the last, or where the list has null, the result tells what the handler could read.
 */
export function createScriptServer(settings: ScriptServerSettings, log: ScriptLog) {
  const { McpServer, ResourceTemplate } = sdkNamed(settings.sdk ?? 'newest');
  const server = new McpServer({ name: 'script', version: '1' }, { capabilities: { logging: {} } });

  const play = (target: string, script: readonly unknown[], extra: { _meta?: object | undefined }) => {
    log.run(target);
    const context = inputContext(extra);
    const ask = script[context.round];
    if (ask !== undefined && ask !== null) return { ask: ask as Json };
    const views: Json = {};
    const askedBefore = (script[context.round - 1] as Json | undefined)?.['inputRequests'] ?? {};
    for (const key of Object.keys(askedBefore)) views[key] = context.response(key);
    const canAsk = KINDS.filter((kind) => context.canAsk(kind));
    return {
      told: JSON.stringify({
        round: context.round,
        responses: context.responses ?? null,
        views,
        state: context.requestState() ?? null,
        canAsk,
      }),
    };
  };

  server.registerTool('script', { inputSchema: { script: z.array(z.any()) } }, async ({ script }, extra) => {
    const { ask, told } = play('script', script, extra);
    return ask === undefined ? { content: [{ type: 'text', text: told }] } : { content: [], ...ask };
  });
  server.registerPrompt('script', { argsSchema: { script: z.string() } }, async ({ script }, extra) => {
    const { ask, told } = play('script', JSON.parse(script), extra);
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: told ?? '' } }];
    return ask === undefined ? { messages } : { messages, ...ask };
  });
  const template = new ResourceTemplate('script://{script}', { list: undefined });
  server.registerResource('script', template, {}, async (uri, { script }, extra) => {
    const { ask, told } = play(uri.href, JSON.parse(decodeURIComponent(String(script))), extra);
    const contents = [{ uri: uri.href, text: told ?? '' }];
    return ask === undefined ? { contents } : { contents, ...ask };
  });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text }) => {
    log.run('echo');
    return { content: [{ type: 'text', text }] };
  });

  const options: InputRequiredOptions = { ...settings.options, onEvent: log.event };
  if (settings.mode === 'off') withoutInputRequiredShim(server, options);
  else withInputRequiredShim(server, options);
  return server;
}

/** The params of the request that plays `script` through a tool, a prompt or a resource. */
export function scriptParams(method: string, script: readonly unknown[]): Json {
  if (method === 'tools/call') return { name: 'script', arguments: { script } };
  if (method === 'prompts/get') return { name: 'script', arguments: { script: JSON.stringify(script) } };
  return { uri: `script://${encodeURIComponent(JSON.stringify(script))}` };
}
