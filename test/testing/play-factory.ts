import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type InputContext, inputContext } from 'mcp-dual-era';
import type { Script, TestContext, TestFactory } from 'mcp-dual-era/testing';
import { onTestFinished } from 'vitest';
import type { Json } from '../support/json.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import type { Extra } from '../support/own-server.ts';
import { asPromptResult, asResourceResult, asToolResult, PLAY_PARAMS, PLAY_URI } from '../support/play-server.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';

interface Played {
  readonly context: TestContext;
  readonly ctx: InputContext;
  readonly extra: Extra;
  readonly server: McpServer['server'];
}

/** One run of a handler. A string becomes a result with that text; anything else is returned as it is. */
export type Play = (played: Played) => unknown;

export interface PlayFactory {
  readonly factory: TestFactory;
  /** What each server of the factory was made for. */
  readonly contexts: TestContext[];
}

/**
 * Makes servers, not wrapped by the shim, whose tool `play`, prompt `play` and resource `play://once` run `play`. When the
 * test is over, no timer may be left on the clock of any run, and no server may be connected.
 */
export function playFactory(play: Play, sdk: SdkName = 'newest'): PlayFactory {
  const { McpServer: Made } = sdkNamed(sdk);
  const contexts: TestContext[] = [];
  const made: McpServer[] = [];
  onTestFinished(() => {
    const left = contexts.map(({ ports }) => (ports.clock as ManualClock).pending);
    const connected = made.filter((server) => server.isConnected());
    if (left.some((count) => count > 0)) throw new Error(`Timers are left on the clocks: ${left.join()}`);
    if (connected.length > 0) throw new Error(`${connected.length} servers are left connected`);
  });
  const factory: TestFactory = (context) => {
    contexts.push(context);
    const server = new Made({ name: 'play', version: '1' }, { capabilities: { logging: {} } });
    made.push(server);
    const run = async (extra: unknown): Promise<unknown> =>
      play({ context, ctx: inputContext(extra as Extra), extra: extra as Extra, server: server.server });
    server.registerTool('play', {}, async (extra) => asToolResult(await run(extra)) as never);
    server.registerPrompt('play', {}, async (extra) => asPromptResult(await run(extra)) as never);
    server.registerResource('play', PLAY_URI, {}, async (_uri, extra) => asResourceResult(await run(extra)) as never);
    return server;
  };
  return { factory, contexts };
}

export function callOf(method: string = 'tools/call'): Script['request'] {
  return { method: method as Script['request']['method'], params: PLAY_PARAMS[method] as Json };
}
