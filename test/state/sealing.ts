/** What the tests of the codec share. */
import { createRequestStateCodec, type RequestStateCodecOptions, type StateCall } from 'mcp-dual-era';
import { expect } from 'vitest';
import type { Json } from '../support/json.ts';

export const KEY = '0123456789abcdef0123456789abcdef';
export const OTHER_KEY = 'fedcba9876543210fedcba9876543210';

/** 28 July 2026, in milliseconds since the epoch. */
export const START = 1_785_196_800_000;

/** A call of the tool `deploy`, by nobody in particular. */
export const CALL: StateCall = { method: 'tools/call', params: { name: 'deploy', arguments: { target: 'staging' } } };

/** What every refusal says, whatever its cause. */
export const REFUSED = {
  name: 'RequestStateError',
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

/** What the error of a refused state tells the client, and its cause, which it does not tell. */
function readRefusal(error: unknown): string {
  const { name, code, message, data, cause } = error as Json;
  expect({ name, code, message, data }).toStrictEqual(REFUSED);
  return cause;
}

/** The cause for which `run` refuses a state. */
export function causeOf(run: () => unknown): string {
  let opened: unknown;
  try {
    opened = run();
  } catch (error) {
    return readRefusal(error);
  }
  throw new Error(`The state was accepted: ${JSON.stringify(opened)}`);
}

/** The cause for which the promise of a single-use codec refuses a state. */
export async function rejectionOf(opened: Promise<unknown>): Promise<string> {
  return opened.then(
    (payload) => {
      throw new Error(`The state was accepted: ${JSON.stringify(payload)}`);
    },
    (error: unknown) => readRefusal(error),
  );
}

/** A codec with a clock that is moved by hand. */
export function codecAt(options: Omit<RequestStateCodecOptions, 'singleUse' | 'ports'> = {}) {
  const clock = { now: START };
  return { clock, codec: createRequestStateCodec({ keys: KEY, ...options, ports: { now: () => clock.now } }) };
}

/** The bytes of a state behind its version. */
export function bytesOf(state: string): Buffer {
  return Buffer.from(state.slice('v1.'.length), 'base64url');
}

/** A state made of bytes of the test's own. */
export function stateOf(bytes: Uint8Array): string {
  return `v1.${Buffer.from(bytes).toString('base64url')}`;
}

/** Both forms of a state. */
export const FORMS = [
  ['sealed', false],
  ['encrypted', true],
] as const;
