/**
 * A process of the server, spoken to over its stdin and stdout: a transport for the clients of both SDKs. Theirs read
 * without a bound, skip what is no JSON without a word, and leave the children of the process alone.
 */
import { StringDecoder } from 'node:string_decoder';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Habits } from './habits.ts';
import { lastWords } from './last-words.ts';
import { ProcessGroup } from './process-group.ts';
import { allUsedUp, type Look, type StdioTarget } from './step.ts';
import { within } from './within.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_STDERR = 8_000;
/** SDK v1 and v2 wait as long for a server to end with its stdin. */
const GRACE = 2_000;
/** For the answer to a last request: one that ends after its answer has this long to be seen to. */
const LAST_WAIT = 1_000;
const LAST_ID = 'mcp-dual-era-doctor-last';

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
  #group: ProcessGroup | undefined;
  #left: Promise<void> = Promise.resolve();
  #gone: Promise<void> = Promise.resolve();
  #isLeft = false;
  #closing: Promise<void> | undefined;
  #rest = '';
  #bytes = 0;
  #said = '';
  #hasFlooded = false;
  #hasAnswered = false;
  #onLast: () => void = () => undefined;
  /** Whether it still ran when its stdin was ended: then it did not end by itself. */
  #wasToEnd = false;

  constructor(look: Look<StdioTarget>, habits: Habits) {
    this.#look = look;
    this.#habits = habits;
  }

  /** How it ended, and the end of what it wrote to stderr; undefined while it runs, and once it was to end. */
  endedHow: string | undefined;

  async start(): Promise<void> {
    // None is started while the others are being ended.
    if (this.#look.signal.aborted) throw allUsedUp();
    const group = new ProcessGroup(this.#look.target);
    const { child } = group;
    this.#group = group;
    this.#left = group.ended.then(() => this.#leave());
    // What it started may have outlived it.
    this.#gone = this.#left.then(() => group.end());
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
    const stdin = this.#group?.child.stdin;
    if (this.#isLeft || !stdin?.writable) throw new Error('the process has ended');
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends its stdin; a process that goes on is ended. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#group === undefined) return;
    const { child } = this.#group;
    if (this.#hasAnswered) await this.#askLast();
    const wasRunning = !this.#isLeft;
    this.#wasToEnd = child.exitCode === null && child.signalCode === null;
    child.stdin.end();
    // Once known, it need not be waited for again.
    const hasEnded = await within(this.#left, this.#habits.endsWithStdin === false ? 100 : GRACE);
    if (wasRunning) this.#habits.endsWithStdin = hasEnded && this.#habits.endsWithStdin !== false;
    if (!hasEnded) await this.#group.end();
    // One of another user, such as with sudo, cannot be ended from here.
    await within(this.#gone, GRACE);
  }

  /** A process that ends right after its answer gives none to this, and is waited for; any other does, if only an error. */
  async #askLast(): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      this.#onLast = resolve;
    });
    await this.send({ jsonrpc: '2.0', id: LAST_ID, method: 'ping' }).catch(() => undefined);
    await within(Promise.race([answered, this.#left]), LAST_WAIT);
  }

  #leave(): void {
    this.#isLeft = true;
    if (this.#rest.trim() !== '') this.#take(this.#rest);
    if (!this.#wasToEnd && this.pid !== null) {
      this.endedHow = this.#howItEnded();
      const isAfterAnswer = this.#hasAnswered && this.#group?.child.exitCode === 0;
      this.#habits.ends.push({ how: this.endedHow, isAfterAnswer });
    }
    this.#group?.child.stdout.destroy();
    this.#group?.child.stderr.destroy();
    this.onclose?.();
  }

  #howItEnded(): string {
    if (this.#hasFlooded) return `the process wrote more than ${MOST_BYTES} bytes to stdout, and was ended`;
    const { exitCode = null, signalCode = null } = this.#group?.child ?? {};
    const how = signalCode === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signalCode}`;
    const words = this.#look.tell(lastWords(this.#said));
    return `the process ended by itself (${how})${words === '' ? '' : `; it said: ${words}`}`;
  }

  #read(chunk: Buffer): void {
    if (this.#hasFlooded) return;
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BYTES) {
      this.#rest = '';
      this.#hasFlooded = true;
      this.onerror?.(new Error(`more than ${MOST_BYTES} bytes on stdout`));
      this.#group?.signal('SIGKILL');
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
    if (message === undefined) {
      this.#habits.noise += 1;
      this.#habits.firstNoise ??= this.#look.tell(line, 80);
      return;
    }
    const isAnswer = 'result' in message || 'error' in message;
    this.#hasAnswered ||= isAnswer;
    if (isAnswer && message['id'] === LAST_ID) this.#onLast();
    else this.onmessage?.(message as never);
  }
}

function messageIn(line: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isJsonObject(message) && message['jsonrpc'] === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}
