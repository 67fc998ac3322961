/** A client that is connected: the same few things on either era. */
import type { JsonObject } from '../../core/json.ts';
import { LONGEST_DELAY } from '../../core/option-checks.ts';
import type { HttpLink } from './http-link.ts';
import type { ListName, Question } from './model.ts';

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor?: string;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A call that ended; what it asked is told as it comes, since a call may never end. */
export interface CallEnd {
  readonly result: JsonObject;
  /** Why the client went no further, where it did not. */
  readonly stopped?: string;
}

export interface OpenClient {
  readonly revision: string;
  readonly server: { readonly name: unknown; readonly version: unknown } | undefined;
  readonly capabilities: JsonObject;
  /** One page, with each item as it came: a client may leave out members that it does not know. */
  list(name: ListName, cursor: string | undefined): Promise<Page>;
  /** Whether it leaves out tools that want an argument in a header which cannot be had there. */
  readonly needsHeaders: boolean;
  /** Has the client read all tools by itself, where that is not what `list` does: it may find fault with them, and needs them for a call. */
  readTools?(): Promise<void>;
  /** How its process ended by itself, where it did. */
  ended(): string | undefined;
  /** Without the client's checks: what a server answers that does not declare the list. */
  listUnchecked(name: ListName): Promise<Page>;
  /** Declines every question. */
  call(call: ToolCall, onQuestion: (question: Question) => void): Promise<CallEnd>;
  /** Never rejects. */
  close(): Promise<void>;
}

export const CLIENT_INFO = { name: 'mcp-dual-era-doctor', version: '1.0.0' };

/** A client's own limit must not come before ours. */
export const NO_TIMEOUT: number = LONGEST_DELAY;

/** Ends the sessions, then the client. */
export async function closeAll(client: { close(): Promise<void> }, link: HttpLink | undefined): Promise<void> {
  await link?.close();
  await client.close().catch(() => undefined);
}

export function pageOf(name: ListName, result: JsonObject): Page {
  const items = result[name];
  if (!Array.isArray(items)) throw new Error(`${name}/list has no ${name}`);
  const { nextCursor } = result;
  return typeof nextCursor === 'string' ? { items, nextCursor } : { items };
}

/** Runs `run` with what SDKs write on the console kept from it: stdout is for the report, and a server chose the words. */
export async function withoutConsole<Result>(run: () => Promise<Result>): Promise<Result> {
  const { debug, info, log, warn, error } = console;
  const nothing = (): void => undefined;
  Object.assign(console, { debug: nothing, info: nothing, log: nothing, warn: nothing, error: nothing });
  try {
    return await run();
  } finally {
    Object.assign(console, { debug, info, log, warn, error });
  }
}
