import { describe } from 'vitest';
import type { TransportName } from './open.ts';
import type { SdkName } from './sdk.ts';

export const TRANSPORTS: readonly TransportName[] = ['memory', 'stdio', 'http'];
export const METHODS = ['tools/call', 'prompts/get', 'resources/read'] as const;

export interface Cell {
  readonly transport: TransportName;
  readonly sdk: SdkName;
}

/** Runs one test body over every transport, on the newest and on the oldest supported SDK v1. */
export function describeTransports(name: string, body: (cell: Cell) => void): void {
  for (const sdk of ['newest', 'oldest'] as const) {
    for (const transport of TRANSPORTS)
      describe(`${name} (${transport}, ${sdk} SDK v1)`, () => body({ transport, sdk }));
  }
}
