/** What the client's side of a response stream has come to. */
import type { StreamGrace } from './stream-grace.ts';

/** The HTTP request that a call arrived in, and its response. */
export interface HttpExchange {
  /** Whether the response has begun; before the answer, that means it is a stream. */
  hasBegun(): boolean;
  /** Whether the client has closed its side of the response and cannot come back to it. */
  isGone(): boolean;
  /** Calls `listener` when the client goes away for good; the returned function stops that. */
  onGone(listener: () => void): () => void;
}

export class StreamState {
  /** The client holds an event id, with which it can come back: SDK v1 sends ids where it has an event store. */
  #isResumable = false;
  #isClosed = false;
  /** Closed, and not to be come back to. */
  #isLost = false;
  readonly #grace: StreamGrace;
  #stopWaiting: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(grace: StreamGrace) {
    this.#grace = grace;
  }

  note(chunk: unknown): void {
    if (!this.#isResumable) this.#isResumable = hasEventId(chunk);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#isResumable) this.#waitForReturn();
    else this.#lose();
  }

  /** Waits only while somebody wants to know: most streams close because their call is answered. */
  #waitForReturn(): void {
    if (this.#isLost || this.#listeners.size === 0) return;
    this.#stopWaiting ??= this.#grace.wait(() => this.#lose());
  }

  #lose(): void {
    this.#isLost = true;
    for (const listener of this.#listeners) listener();
  }

  #unlisten(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  exchange(hasBegun: () => boolean): HttpExchange {
    return {
      hasBegun,
      isGone: () => this.#isLost,
      onGone: (listener) => {
        this.#listeners.add(listener);
        if (this.#isClosed) this.#waitForReturn();
        return () => this.#unlisten(listener);
      },
    };
  }
}

// An event id is at the beginning of its event, before the data.
const HEAD_BYTES = 32;
const decoder = new TextDecoder();

function hasEventId(chunk: unknown): boolean {
  const head = typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? chunk.subarray(0, HEAD_BYTES) : '';
  const text = typeof head === 'string' ? head.slice(0, HEAD_BYTES) : decoder.decode(head);
  return /^(?:event: \w+\n)?id: /.test(text);
}
