import { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import type { Link } from './peer.ts';

type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** One HTTP response, read as a stream of messages. */
export interface ReadStream {
  readonly messages: Json[];
  readonly status: number;
  /** Resolves when it has ended, or was dropped. */
  readonly ended: Promise<void>;
  /** The id of its last event; undefined without an event store. */
  lastEventId: string | undefined;
  /** Goes away, as a client that loses its connection. */
  drop(): void;
  /** Stops reading, which is all that some servers see of a client that goes away. */
  cancelBody(): void;
}

/** A raw Streamable HTTP client that tells on which stream each message came. */
export class StreamClient implements Link {
  readonly inbox = new Inbox();
  /** By the id of the request that was posted, as JSON. */
  readonly posts = new Map<string, ReadStream>();
  readonly #url: URL;
  readonly #fetch: Fetch;
  readonly #open = new Set<ReadStream>();
  sessionId: string | undefined;
  /** The value of the header `mcp-protocol-version`, once it is set. */
  revision: string | undefined;

  constructor(url: URL, fetchLike: Fetch = fetch) {
    this.#url = url;
    this.#fetch = fetchLike;
  }

  async send(message: unknown, headers: Record<string, string> = {}): Promise<number> {
    const init = { method: 'POST', body: JSON.stringify(message) };
    const stream = await this.#request({ 'content-type': 'application/json', ...headers }, init);
    this.posts.set(JSON.stringify((message as Json)['id']), stream);
    return stream.status;
  }

  /** Opens the GET stream, or with `lastEventId` takes up the stream of that event. */
  get(lastEventId?: string): Promise<ReadStream> {
    return this.#request(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }, { method: 'GET' });
  }

  async delete(): Promise<number> {
    return (await this.#request({}, { method: 'DELETE' })).status;
  }

  /** The stream that the request `id` was posted on. */
  post(id: string | number): ReadStream {
    const stream = this.posts.get(JSON.stringify(id));
    if (stream === undefined) throw new Error(`Nothing was posted with the id ${id}`);
    return stream;
  }

  async close(): Promise<void> {
    for (const stream of this.#open) stream.drop();
    await Promise.all([...this.#open].map((stream) => stream.ended));
  }

  async #request(headers: Record<string, string>, init: RequestInit): Promise<ReadStream> {
    const abort = new AbortController();
    const session = this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId };
    const revision = this.revision === undefined ? {} : { 'mcp-protocol-version': this.revision };
    const response = await this.#fetch(this.#url, {
      ...init,
      headers: { accept: 'application/json, text/event-stream', ...session, ...revision, ...headers },
      signal: abort.signal,
    });
    this.sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
    return this.#read(response, abort);
  }

  #read(response: Response, abort: AbortController): ReadStream {
    const reader = response.body?.getReader();
    const messages: Json[] = [];
    const push = (message: Json): void => {
      // Who has gone away does not read what is still under way.
      if (abort.signal.aborted) return;
      messages.push(message);
      this.inbox.push(message);
    };
    const cancelBody = (): void => void reader?.cancel().catch(() => undefined);
    const stream: ReadStream & { ended: Promise<void> } = {
      messages,
      status: response.status,
      ended: Promise.resolve(),
      lastEventId: undefined,
      drop: () => {
        abort.abort();
        cancelBody();
      },
      cancelBody,
    };
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const done = isJson ? readJson(reader, push) : readEvents(reader, stream, push);
    stream.ended = done.catch(() => undefined).finally(() => this.#open.delete(stream));
    this.#open.add(stream);
    return stream;
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

async function* textOf(reader: Reader): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return;
    yield decoder.decode(chunk.value, { stream: true });
  }
}

async function readJson(reader: Reader, push: (message: Json) => void): Promise<void> {
  let text = '';
  for await (const chunk of textOf(reader)) text += chunk;
  push(JSON.parse(text) as Json);
}

async function readEvents(reader: Reader, stream: ReadStream, push: (message: Json) => void): Promise<void> {
  let text = '';
  for await (const chunk of textOf(reader)) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n');
      const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
      stream.lastEventId = lines.find((line) => line.startsWith('id: '))?.slice('id: '.length) ?? stream.lastEventId;
      if (data.join('') !== '') push(JSON.parse(data.join('\n')) as Json);
    }
  }
}
