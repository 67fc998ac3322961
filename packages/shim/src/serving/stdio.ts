/** Serves both eras to one client, on the process's own stdin and stdout. */
import { resolvePorts } from '../handshake/platform.ts';
import { createLegs } from '../modern/legs.ts';
import { startStdioEngine } from '../modern/stdio-engine.ts';
import type { StdioStreams } from '../modern/stdio-wire.ts';
import { createServer, requireFactory } from './create-server.ts';
import { resolveServeOptions } from './resolve-serve-options.ts';
import type { ServeOptions, ServerFactory } from './serve-options.ts';

export interface ServedStdio {
  /** Settles when the connection is over: stdin has ended, or `close` was called. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Serves what `factory` makes to the one client on stdin and stdout, in the era that its opening tells (spec: basic,
 * versioning): `initialize` opens a handshake connection with the shim on, a request that claims revision 2026-07-28 a
 * modern one; `server/discover` leaves it open. When stdin ends, running requests are answered, and the process can end.
 *
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds.
 */
export function serveStdio(factory: ServerFactory, options: ServeOptions = {}): ServedStdio {
  return serveStreams({ input: process.stdin, output: process.stdout }, factory, options);
}

/** The same over any pipe. */
export function serveStreams(streams: StdioStreams, factory: ServerFactory, options: ServeOptions): ServedStdio {
  requireFactory(factory);
  const resolved = resolveServeOptions(options);
  const { eras, settings, onError } = resolved;
  return startStdioEngine(streams, {
    eras,
    createServer: (era) => createServer(factory, { era }, resolved),
    legOf: createLegs(settings, { ...resolved.leg, warnsOfKey: false }),
    clock: resolvePorts(settings.ports).clock,
    holds: resolved.holds,
    onError,
  });
}
