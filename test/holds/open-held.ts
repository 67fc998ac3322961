import { createHolds, type Holds, type HoldsOptions } from 'mcp-dual-era';
import { onTestFinished } from 'vitest';
import { ALL_CAPABILITIES, ask, form } from '../support/asks.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import type { Opened } from '../support/open.ts';
import { openHttpSession } from '../support/open-http.ts';
import { clockSession, type OpenedOnClock, session } from '../support/session.ts';

export const CAPABLE = { capabilities: ALL_CAPABILITIES };
export const ASK = [ask({ who: form() })];

/** The places of one process, on a clock that stands still. */
export function holdsOnClock(options: HoldsOptions = {}): { readonly holds: Holds; readonly clock: ManualClock } {
  const clock = new ManualClock();
  return { holds: createHolds({ ...options, ports: { clock } }), clock };
}

export const TRANSPORTS = ['memory', 'node', 'web'] as const;

/** A session of a server that shares `holds`. */
export function openHeld(transport: (typeof TRANSPORTS)[number], holds: Holds, options: object = {}): Promise<Opened> {
  const settings = { options: { ...options, holds } };
  return transport === 'memory' ? session('memory', CAPABLE, settings) : openHttpSession(transport, CAPABLE, settings);
}

/** The same in memory, with the session's own clock at a stand too. */
export function openHeldOnClock(holds: Holds, options: object = {}): Promise<OpenedOnClock> {
  return clockSession(CAPABLE, { options: { ...options, holds } });
}

/** After the test, every gauge has to read zero. */
export function expectEmpty(holds: Holds): void {
  onTestFinished(async () => {
    await settle();
    const { held, queued, openLegs } = holds.stats();
    if (held + queued + openLegs > 0) throw new Error(`left: ${JSON.stringify({ held, queued, openLegs })}`);
  });
}
