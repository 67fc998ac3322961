import type { Inbox } from './inbox.ts';
import type { Json } from './json.ts';
import type { Link } from './peer.ts';

/** A raw Streamable HTTP client with a session; it opens the GET stream only when told to. */
export class HttpLink implements Link {
  readonly #url: URL;
  readonly #inbox: Inbox;
  readonly #abort = new AbortController();
  readonly #open = new Map<string, AbortController>();
  #sessionId: string | undefined;
  /** The body of the last response that was plain JSON. */
  lastJson: Json | undefined;

  constructor(url: URL, inbox: Inbox) {
    this.#url = url;
    this.#inbox = inbox;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  async send(message: unknown, headers: Record<string, string> = {}): Promise<number> {
    const post = new AbortController();
    const id = JSON.stringify((message as Json)['id']);
    this.#open.set(id, post);
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { ...this.#headers(), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(message),
      signal: AbortSignal.any([this.#abort.signal, post.signal]),
    });
    this.#sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
    void this.#read(response);
    return response.status;
  }

  /** Closes the stream that the request `id` was posted on, as a client that goes away. */
  drop(id: string | number): void {
    this.#open.get(JSON.stringify(id))?.abort();
  }

  async openGet(): Promise<number> {
    const response = await fetch(this.#url, { headers: this.#headers(), signal: this.#abort.signal });
    void this.#read(response);
    return response.status;
  }

  close(): Promise<void> {
    this.#abort.abort();
    return Promise.resolve();
  }

  #headers(): Record<string, string> {
    const session = this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId };
    return { accept: 'application/json, text/event-stream', ...session };
  }

  async #read(response: Response): Promise<void> {
    try {
      if (response.headers.get('content-type')?.startsWith('application/json')) {
        this.lastJson = (await response.json()) as Json;
        this.#inbox.push(this.lastJson);
        return;
      }
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) this.#readEvent(event);
      }
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    }
  }

  #readEvent(event: string): void {
    const data = event
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => line.slice('data: '.length))
      .join('\n');
    if (data !== '') this.#inbox.push(JSON.parse(data) as Json);
  }
}
