/** What a client writes to a stdio server. Its end is told, rather than being the end of what is still running. */
import { PassThrough, type Readable } from 'node:stream';

export class StdioInput {
  readonly #source: Readable;
  readonly #onEnd: () => void;
  readonly #onError: (error: Error) => void;
  readonly #endListeners = new Set<() => void>();
  #hasEnded = false;
  /** What comes in. It never ends by itself, so that a transport that reads it does not close. */
  readonly stream: PassThrough = new PassThrough();

  /** @param onEnd - called once, when no more can come; those that listen for that have been called then. */
  constructor(
    source: Readable,
    { onEnd, onError }: { readonly onEnd: () => void; readonly onError: (error: Error) => void },
  ) {
    this.#source = source;
    this.#onEnd = onEnd;
    this.#onError = onError;
  }

  open(): void {
    this.#source.on('end', this.#end);
    this.#source.on('close', this.#end);
    this.#source.on('error', this.#onError);
    this.#source.pipe(this.stream, { end: false });
  }

  close(): void {
    this.#source.unpipe(this.stream);
    this.#source.off('end', this.#end);
    this.#source.off('close', this.#end);
    this.#source.off('error', this.#onError);
    this.#source.pause();
    this.stream.destroy();
    this.#endListeners.clear();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether somebody listens for the end. */
  get isWatched(): boolean {
    return this.#endListeners.size > 0;
  }

  /** Calls `listener` when it has ended; the returned function stops that. */
  watchEnd(listener: () => void): () => void {
    this.#endListeners.add(listener);
    if (this.#hasEnded) setImmediate(() => this.#tellLate(listener));
    return () => this.#endListeners.delete(listener);
  }

  /** Of a server that was made after the end: what had come before that is still on its way to it. */
  #tellLate(listener: () => void): void {
    if (this.#endListeners.has(listener)) listener();
  }

  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const listener of this.#endListeners) listener();
    this.#onEnd();
  };
}
