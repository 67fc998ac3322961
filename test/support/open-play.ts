import type { DualEraEvent, InputRequiredOptions } from 'mcp-dual-era';
import { expect } from 'vitest';
import { ALL_CAPABILITIES } from './asks.ts';
import { connectMemory, type MemorySession } from './connect-memory.ts';
import type { Json } from './json.ts';
import { ManualClock } from './manual-clock.ts';
import type { HandshakeParams } from './peer.ts';
import { createPlayServer, PLAY_PARAMS, type Play, type PlaySettings } from './play-server.ts';

export interface PlaySession extends MemorySession {
  readonly clock: ManualClock;
  readonly events: DualEraEvent[];
  /** How often the handler has run. */
  readonly runs: () => number;
  /** Sends the request that runs the play. */
  run(method?: string, id?: string | number): Promise<string | number>;
}

export interface OpenPlaySettings extends Omit<PlaySettings, 'options'>, HandshakeParams {
  readonly options?: InputRequiredOptions;
}

/** A play server in memory, the handshake done, its clock driven by hand. By default the client can do everything. */
export async function openPlay(play: Play, settings: OpenPlaySettings = {}): Promise<PlaySession> {
  const clock = new ManualClock();
  const events: DualEraEvent[] = [];
  let runs = 0;
  const counted: Play = (context, extra) => {
    runs += 1;
    return play(context, extra);
  };
  const options = { ports: { clock }, onEvent: (event: DualEraEvent) => events.push(event), ...settings.options };
  const server = createPlayServer(counted, { ...settings, options: options as InputRequiredOptions });
  const session = await connectMemory(server, settings.sdk);
  const { revision = '2025-11-25', capabilities = ALL_CAPABILITIES } = settings;
  await session.peer.handshake({ revision, capabilities });
  const run = (method = 'tools/call', id?: string | number) =>
    session.peer.request(method, PLAY_PARAMS[method] as Json, id);
  return { ...session, clock, events, runs: () => runs, run };
}

/** Nothing of any call is left: no timer, and the server still answers. */
export async function expectNothingLeft({ peer, clock }: Pick<PlaySession, 'peer' | 'clock'>): Promise<void> {
  expect(clock.pending).toBe(0);
  const id = await peer.request('ping', {});
  expect(await peer.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
}
