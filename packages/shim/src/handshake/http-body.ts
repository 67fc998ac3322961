/**
 * Reads the body of an HTTP request ahead of SDK v1's transport, which then takes it as already parsed.
 *
 * Done to find a request id that is in flight: by the time the transport delivers such a request, it has given the
 * stream of the first call away.
 */

// A larger body is left to the transport, with its own limits: nothing bigger comes with an id by mistake.
const LONGEST_BODY = 1_048_576;

/** What is used of node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is used of a web-standard `Request`. */
export interface WebRequest {
  readonly method: string;
  readonly signal: AbortSignal;
  readonly headers: { get(name: string): string | null };
  clone(): { readonly body: AsyncIterable<Uint8Array> | null };
}

/**
 * The body as JSON, or as text where it is none; undefined when it was left unread, because it is large or its length
 * is not told.
 */
export async function readNodeBody(request: NodeRequest): Promise<unknown> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  return length <= LONGEST_BODY ? parse(await collect(request)) : undefined;
}

/** The same for a web-standard request, which is read from a clone and stays unread itself. */
export async function readWebBody(request: WebRequest): Promise<unknown> {
  return parse(await collect(request.clone().body));
}

async function collect(body: AsyncIterable<Uint8Array> | null): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > LONGEST_BODY) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
