import type { Json } from './json.ts';

/** The messages a peer has received and no test has taken yet, in order. */
export class Inbox {
  readonly all: Json[] = [];
  readonly #unread: Json[] = [];
  readonly #waiting: ((message: Json) => void)[] = [];

  readonly push = (message: Json): void => {
    this.all.push(message);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#unread.push(message);
    else waiting(message);
  };

  /** The next message; rejects when none comes within `ms`. */
  next(ms = 25_000): Promise<Json> {
    const message = this.#unread.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve, reject) => {
      const give = (arrived: Json): void => {
        clearTimeout(timer);
        resolve(arrived);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(give), 1);
        reject(new Error(`No message within ${ms} ms; received so far: ${JSON.stringify(this.all)}`));
      }, ms);
      this.#waiting.push(give);
    });
  }

  /** What is there and not taken yet, after `ms` of silence. */
  async rest(ms = 100): Promise<Json[]> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return this.#unread.splice(0);
  }
}
