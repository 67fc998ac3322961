/**
 * A process of the server, spoken to over its stdin and stdout: a transport for the clients of both SDKs. Theirs read
 * without a bound, skip what is no JSON without a word, and leave the children of the process alone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Look, StdioTarget } from './step.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_STDERR = 2_000;
/** SDK v1 and v2 wait as long for a server to end with its stdin. */
const GRACE = 2_000;
const isWindows = process.platform === 'win32';

/** What was seen of all processes of one server. */
export interface Habits {
  /** Lines on stdout that are no JSON-RPC. */
  noise: number;
  firstNoise?: string;
  /** Whether it ends when its stdin does; not known before the first one was closed. */
  endsWithStdin?: boolean;
  /** How those ended that did so before their stdin was ended, and before they were. */
  readonly ends: string[];
}

const running = new Set<StdioLink>();

/** Ends every process at once, for when this one ends itself. */
export function killAll(): void {
  for (const link of running) link.kill('SIGKILL');
}

export class StdioLink {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** SDK v2 tells stdio from HTTP by these two. */
  readonly stderr: null = null;
  pid: number | null = null;
  readonly #look: Look<StdioTarget>;
  readonly #habits: Habits;
  readonly #decoder = new StringDecoder('utf8');
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #isGone = false;
  #isClosing = false;
  #rest = '';
  #bytes = 0;
  #said = '';
  #hasFlooded = false;
  /** Whether it still ran when its stdin was ended: then it did not end by itself. */
  #wasToEnd = false;

  constructor(look: Look<StdioTarget>, habits: Habits) {
    this.#look = look;
    this.#habits = habits;
  }

  /** How it ended, and the end of what it wrote to stderr; undefined while it runs, and once it was to end. */
  endedHow: string | undefined;

  async start(): Promise<void> {
    const { command, args } = this.#look.target;
    // In a group of its own, so that what it starts can be ended with it.
    const child = spawn(command, args, { stdio: 'pipe', detached: !isWindows, windowsHide: true });
    this.#child = child;
    running.add(this);
    this.#gone = ended(child).then(() => this.#end());
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString('utf8')).slice(-MOST_STDERR);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(new Error(`the command cannot be started (${error.code ?? 'unknown'})`, { cause: error })),
      );
    });
    this.pid = child.pid ?? null;
  }

  async send(message: unknown): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#isGone || !stdin?.writable) throw new Error('the process has ended');
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends its stdin; a process that goes on is ended. */
  async close(): Promise<void> {
    if (this.#isClosing) return this.#gone;
    this.#isClosing = true;
    if (this.#child === undefined) return;
    const wasRunning = !this.#isGone;
    this.#wasToEnd = this.#child.exitCode === null && this.#child.signalCode === null;
    this.#child.stdin?.end();
    // Once known, it need not be waited for again.
    const hasEnded = await this.#goneWithin(this.#habits.endsWithStdin === false ? 100 : GRACE);
    if (wasRunning) this.#habits.endsWithStdin = hasEnded && this.#habits.endsWithStdin !== false;
    if (!hasEnded) {
      this.kill('SIGTERM');
      if (!(await this.#goneWithin(500))) this.kill('SIGKILL');
    }
    await this.#gone;
  }

  kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (isWindows) this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // It is gone.
    }
  }

  async #goneWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    try {
      return await Promise.race([this.#gone.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #end(): void {
    this.#isGone = true;
    if (!this.#wasToEnd && this.pid !== null) {
      this.endedHow = this.#howItEnded();
      this.#habits.ends.push(this.endedHow);
    }
    if (this.#rest.trim() !== '') this.#take(this.#rest);
    // What it started may have outlived it.
    this.kill('SIGKILL');
    running.delete(this);
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.onclose?.();
  }

  #howItEnded(): string {
    if (this.#hasFlooded) return `the process wrote more than ${MOST_BYTES} bytes to stdout, and was ended`;
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    const how = signalCode === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signalCode}`;
    const words = this.#look.tell(this.#said.trim().split('\n').at(-1) ?? '');
    return `the process ended by itself (${how})${words === '' ? '' : `; it said: ${words}`}`;
  }

  #read(chunk: Buffer): void {
    if (this.#hasFlooded) return;
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BYTES) {
      this.#rest = '';
      this.#hasFlooded = true;
      this.onerror?.(new Error(`more than ${MOST_BYTES} bytes on stdout`));
      this.kill('SIGKILL');
      return;
    }
    const [first = '', ...others] = this.#decoder.write(chunk).split('\n');
    // Only looked through when it is whole: it may be long.
    this.#rest += first;
    for (const next of others) {
      if (this.#rest.trim() !== '') this.#take(this.#rest);
      this.#rest = next;
    }
  }

  #take(line: string): void {
    const message = messageIn(line);
    if (message !== undefined) return void this.onmessage?.(message as never);
    this.#habits.noise += 1;
    this.#habits.firstNoise ??= this.#look.tell(line, 80);
  }
}

/** When it has ended and all it wrote was read, or whoever holds its stdout still has had a moment to let go of it. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
    child.once('exit', () => setTimeout(resolve, 100));
  });
}

function messageIn(line: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isJsonObject(message) && message['jsonrpc'] === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}
