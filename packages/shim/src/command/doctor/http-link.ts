/** One HTTP connection of a client: its `fetch` has the person's headers, reads no more than it may, and knows its sessions. */
import type { HttpTarget, Look } from './step.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const SESSION = 'mcp-session-id';
/** Of those a server gives: it needs one, and one that gives more is not to be waited for at each. */
const MOST_SESSIONS = 4;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface HttpLink {
  readonly fetch: Fetch;
  /** Ends the sessions that the server opened. Never rejects. */
  close(): Promise<void>;
}

/** @param isStateless - whether the client neither hears nor tells of sessions. */
export function openHttpLink({ target, timeout }: Look<HttpTarget>, isStateless: boolean): HttpLink {
  const sessions = new Set<string>();
  let bytes = 0;
  const count = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > MOST_BYTES) controller.error(new Error(`more than ${MOST_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    });

  const bounded: Fetch = async (url, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of target.headers) headers.set(name, value);
    if (isStateless) headers.delete(SESSION);
    // A redirect would take the person's headers elsewhere.
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const kept = new Headers(response.headers);
    const session = kept.get(SESSION);
    if (session !== null && sessions.size < MOST_SESSIONS) sessions.add(session);
    if (isStateless) kept.delete(SESSION);
    const { status, statusText, body } = response;
    return new Response(body === null ? null : body.pipeThrough(count()), { status, statusText, headers: kept });
  };

  const close = async (): Promise<void> => {
    for (const session of sessions) {
      const headers = { ...Object.fromEntries(target.headers), [SESSION]: session };
      const init = { method: 'DELETE', headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) } as const;
      // The server may not let clients end sessions: 405.
      const response = await fetch(target.url, init).catch(() => undefined);
      await response?.body?.cancel().catch(() => undefined);
    }
  };
  return { fetch: bounded, close };
}
