/**
 * Reads the body of an HTTP request ahead of SDK v1's transport.
 *
 * Done to find a request id that is in flight: by the time the transport delivers such a request, it has given the
 * stream of the first call away. So no body gets past unread.
 */

// Four times what SDK v1 allows by default. Its own limit, which may be another, is applied to what is handed on beyond SHORT_BODY; whoever
// wants more than this parses the body and hands it to the transport.
const LONGEST_BODY = 16_777_216;

/** What is used of node's `IncomingMessage`. */
export interface NodeRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  /** Kept by some platforms that read the stream before. Read in place of the stream by the adapter that SDK v1 uses (@hono/node-server, pinned in test/contract). */
  rawBody?: Uint8Array<ArrayBuffer>;
}

/** What is used of a web-standard `Request`. */
export interface WebRequest {
  readonly method: string;
  readonly signal: AbortSignal;
  readonly url: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * A body as JSON or, where it is none, as text; too long to be read; or broken off. `bytes` are there where the transport
 * is to read it itself, and to apply its own limit.
 */
export type Body = { readonly value: unknown; readonly bytes?: Uint8Array<ArrayBuffer> } | 'too-long' | 'broken-off';

// Handed on as parsed, which saves a second reading; so a limit below this does not hold.
const SHORT_BODY = 16_384;

export function readNodeBody(request: NodeRequest): Promise<Body> {
  const { rawBody } = request;
  if (rawBody !== undefined) return collect([rawBody]);
  // Not destroyed where it is left early: the answer that says so goes over the same socket.
  return collect(request.iterator({ destroyOnReturn: false }));
}

export function readWebBody(request: WebRequest): Promise<Body> {
  return collect(request.body ?? []);
}

async function collect(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      // Texts, where somebody has set an encoding.
      const bytes = Buffer.from(chunk);
      length += bytes.byteLength;
      if (length > LONGEST_BODY) return 'too-long';
      chunks.push(bytes);
    }
  } catch {
    // The client went away while it was sending, or somebody else has read the body.
    return 'broken-off';
  }
  const bytes = Buffer.concat(chunks);
  const value = parse(bytes);
  return length <= SHORT_BODY ? { value } : { value, bytes };
}

function parse(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
