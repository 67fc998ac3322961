/** Watches the body of a web-standard response on its way to the client. */

export interface BodyHooks {
  readonly onChunk?: (chunk: Uint8Array | undefined) => void;
  /** Called once, when the stream has ended or its reader gave up: not every runtime aborts the request then. */
  readonly onEnd: () => void;
  /** Sent ahead of the stream. */
  readonly prefix?: Uint8Array;
  /** Aborts when the client is gone, which ends the stream: an adapter may not give up reading before the next chunk. */
  readonly signal?: AbortSignal;
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** `response` with a body that calls `hooks`, where it is a stream of events; else `response` itself, and no call. */
export function withHooks(response: Response, hooks: BodyHooks): Response {
  const reader = isEventStream(response) ? response.body?.getReader() : undefined;
  if (reader === undefined) return response;
  let isOpen = true;
  let onAbort: () => void = () => undefined;
  const end = (): void => {
    hooks.signal?.removeEventListener('abort', onAbort);
    if (isOpen) hooks.onEnd();
    isOpen = false;
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (hooks.prefix !== undefined) controller.enqueue(hooks.prefix);
      onAbort = () => {
        if (!isOpen) return;
        end();
        controller.close();
        reader.cancel().catch(() => undefined);
      };
      if (hooks.signal?.aborted) queueMicrotask(onAbort);
      else hooks.signal?.addEventListener('abort', onAbort, { once: true });
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        // Closed by the signal meanwhile.
        if (!isOpen) return;
        hooks.onChunk?.(value);
        if (!done) return controller.enqueue(value);
      } catch (error) {
        if (!isOpen) return;
        end();
        return controller.error(error);
      }
      end();
      controller.close();
    },
    cancel: async (reason) => {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
