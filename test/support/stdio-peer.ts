import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import { Peer } from './peer.ts';

export interface StdioPeer {
  readonly peer: Peer;
  /** Resolves with the exit code once the process is gone. */
  readonly exited: Promise<number | null>;
  /** Ends its stdin and waits for its end. */
  close(): Promise<void>;
}

/** A process that is spoken to over its stdin and stdout, or what stands for one. */
export interface Piped {
  readonly stdin: Writable;
  readonly stdout: Readable;
  once(event: 'exit', listener: (code: number | null) => void): unknown;
}

/** A scripted client that speaks to `child` over its stdin and stdout, a JSON line each. */
export function stdioPeer(child: Piped): StdioPeer {
  const inbox = new Inbox();
  createInterface({ input: child.stdout }).on('line', (line) => inbox.push(JSON.parse(line) as Json));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const send = (message: unknown): Promise<number> =>
    new Promise((resolve) => child.stdin.write(`${JSON.stringify(message)}\n`, () => resolve(0)));
  const close = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { peer: new Peer({ send, close }, inbox), exited, close };
}
