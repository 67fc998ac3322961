/** What a transport of this package tells the shim about itself. */

import type { Holds } from '../core/holds.ts';

export interface TransportHints {
  /** The leg to a modern client: asks travel as results, so the shim leaves the transport as it is. */
  readonly isModern?: boolean;
  /** How long a hold waits for a client that went away but can come back, in milliseconds. @defaultValue for ever */
  readonly disconnectGrace?: number | undefined;
  /** Calls `listener` when no more input can come; the returned function stops that. */
  readonly onInputEnd?: (listener: () => void) => () => void;
  /** The places for the held calls of a server that has none of its own. */
  readonly holds?: Holds;
}

// Symbol.for, since the server may have been wrapped by the other build of this package.
const HINTS: unique symbol = Symbol.for('mcp-dual-era.hints.1');

const NONE: TransportHints = {};

export function giveHints<T extends object>(transport: T, hints: TransportHints): T {
  return Object.defineProperty(transport, HINTS, { value: hints });
}

export function hintsOf(transport: object): TransportHints {
  return (transport as { readonly [HINTS]?: TransportHints })[HINTS] ?? NONE;
}
