import { type InputContext, type InputRequiredOptions, inputContext, withInputRequiredShim } from 'mcp-dual-era';
import type { Json } from './json.ts';
import { type SdkName, sdkNamed } from './sdk.ts';

/** SDK v1's `extra`, as far as tests use it. */
interface PlayExtra {
  readonly _meta?: object | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sendRequest: (request: never, schema: never, options?: never) => Promise<unknown>;
  readonly sendNotification: (notification: never) => Promise<void>;
}

/** One run of a handler. A string becomes a result with that text; anything else is returned as it is. */
export type Play = (context: InputContext, extra: PlayExtra) => unknown;

export interface PlaySettings {
  readonly sdk?: SdkName | undefined;
  readonly options?: InputRequiredOptions | undefined;
  /** A low-level `Server`, whose schemas keep every member of the params, instead of a `McpServer`. */
  readonly isLowLevel?: boolean | undefined;
  /** Sees the params of each run, on a low-level server. */
  readonly onParams?: ((params: Json) => void) | undefined;
}

export const PLAY_URI = 'play://once';

/** A server whose tool `play`, prompt `play` and resource `play://once` run a function of the test's own. */
export function createPlayServer(play: Play, settings: PlaySettings = {}) {
  const server = settings.isLowLevel ? createLowLevel(play, settings) : createHighLevel(play, settings);
  return withInputRequiredShim(server, settings.options);
}

function createHighLevel(play: Play, { sdk = 'newest' }: PlaySettings) {
  const { McpServer } = sdkNamed(sdk);
  const server = new McpServer({ name: 'play', version: '1' }, { capabilities: { logging: {} } });
  const run = async (extra: unknown) => play(inputContext(extra as PlayExtra), extra as PlayExtra);
  server.registerTool('play', {}, async (extra) => asToolResult(await run(extra)) as never);
  server.registerPrompt('play', {}, async (extra) => asPromptResult(await run(extra)) as never);
  server.registerResource('play', PLAY_URI, {}, async (_uri, extra) => asResourceResult(await run(extra)) as never);
  return server;
}

function createLowLevel(play: Play, { sdk = 'newest', onParams }: PlaySettings) {
  const { Server, types } = sdkNamed(sdk);
  const server = new Server(
    { name: 'play', version: '1' },
    { capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} } },
  );
  const asResult = [asToolResult, asPromptResult, asResourceResult];
  const schemas = [types.CallToolRequestSchema, types.GetPromptRequestSchema, types.ReadResourceRequestSchema];
  schemas.forEach((schema, index) => {
    const loose = schema.extend({ params: schema.shape.params.loose() });
    server.setRequestHandler(loose as never, async (request: Json, extra: unknown) => {
      onParams?.(request['params']);
      const played = await play(inputContext(extra as PlayExtra), extra as PlayExtra);
      return asResult[index]?.(played) as never;
    });
  });
  return server;
}

export function asToolResult(played: unknown): unknown {
  return typeof played === 'string' ? { content: [{ type: 'text', text: played }] } : played;
}

export function asPromptResult(played: unknown): unknown {
  if (typeof played !== 'string') return played;
  return { messages: [{ role: 'user', content: { type: 'text', text: played } }] };
}

export function asResourceResult(played: unknown): unknown {
  return typeof played === 'string' ? { contents: [{ uri: PLAY_URI, text: played }] } : played;
}

/** The params of the request that runs the play, for each method that may ask. */
export const PLAY_PARAMS: Readonly<Record<string, Json>> = {
  'tools/call': { name: 'play', arguments: {} },
  'prompts/get': { name: 'play' },
  'resources/read': { uri: PLAY_URI },
};

/** The text of any of the three results. */
export function textOf(answer: Json): string {
  const result = answer['result'] as Json;
  return result['content']?.[0]?.text ?? result['messages']?.[0]?.content.text ?? result['contents']?.[0]?.text;
}
