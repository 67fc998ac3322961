import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type BodyHooks, isEventStream, withHooks } from '../../packages/shim/src/handshake/watch-body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const EVENTS = { headers: { 'content-type': 'text/event-stream' } };

interface Watched {
  readonly source: ReadableStreamDefaultController<Uint8Array>;
  readonly response: Response;
  /** What the stream was cancelled with; undefined while it was not. */
  readonly cancelled: () => unknown;
  readonly ends: () => number;
  readonly chunks: (string | undefined)[];
}

function watch(hooks: Partial<BodyHooks> = {}): Watched {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled: unknown;
  let ends = 0;
  const chunks: (string | undefined)[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      source = controller;
    },
    cancel: (reason) => {
      cancelled = reason ?? 'no reason';
    },
  });
  const response = withHooks(new Response(stream, EVENTS), {
    onChunk: (chunk) => chunks.push(chunk && new TextDecoder().decode(chunk)),
    onEnd: () => {
      ends += 1;
    },
    ...hooks,
  });
  if (source === undefined) throw new Error('the stream has not started');
  return { source, response, cancelled: () => cancelled, ends: () => ends, chunks };
}

describe('the body of a stream of events', () => {
  it('comes as it is, after the prefix, and its end is told once', async () => {
    const { source, response, ends, chunks } = watch({ prefix: bytes(':\n\n') });
    source.enqueue(bytes('data: 1\n\n'));
    source.close();
    expect(await response.text()).toBe(':\n\ndata: 1\n\n');
    expect(chunks).toEqual(['data: 1\n\n', undefined]);
    expect(ends()).toBe(1);
  });

  it('ends with its signal, and the stream behind it is cancelled', async () => {
    const abort = new AbortController();
    const { source, response, cancelled, ends } = watch({ signal: abort.signal });
    source.enqueue(bytes('data: 1\n\n'));
    const text = response.text();
    await new Promise(setImmediate);
    abort.abort();
    expect(await text).toBe('data: 1\n\n');
    expect(cancelled()).toBe('no reason');
    expect(ends()).toBe(1);
  });

  it('ends at once where the signal has aborted already', async () => {
    const { response, cancelled, ends } = watch({ signal: AbortSignal.abort() });
    expect(await response.text()).toBe('');
    expect(cancelled()).toBe('no reason');
    expect(ends()).toBe(1);
  });

  it('fails with the stream behind it, and its end is told once', async () => {
    const { source, response, ends } = watch();
    const text = response.text();
    source.error(new Error('broken'));
    await expect(text).rejects.toThrow('broken');
    expect(ends()).toBe(1);
  });

  it('leaves no listener behind, and hears of nothing after its signal', async () => {
    const abort = new AbortController();
    const [ended, cancelled, aborted] = [1, 2, 3].map(() => watch({ signal: abort.signal }));
    ended?.source.close();
    await ended?.response.text();
    await cancelled?.response.body?.cancel();
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    const text = aborted?.response.text();
    await new Promise(setImmediate);
    abort.abort();
    await text;
    await new Promise(setImmediate);
    expect(aborted?.chunks).toEqual([]);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('may be cancelled where its signal has aborted already', async () => {
    const { response, cancelled, ends } = watch({ signal: AbortSignal.abort() });
    const cancelling = response.body?.cancel('enough');
    await new Promise(setImmediate);
    await cancelling;
    expect([cancelled(), ends()]).toEqual(['enough', 1]);
  });

  it('ends when its reader gives up', async () => {
    const { response, cancelled, ends } = watch();
    await response.body?.cancel('enough');
    expect(cancelled()).toBe('enough');
    expect(ends()).toBe(1);
  });
});

it('is told by its media type, whatever comes after it', () => {
  const isStream = (type: string) => isEventStream(new Response('', { headers: { 'content-type': type } }));
  expect(['text/event-stream', 'text/event-stream; charset=utf-8'].map(isStream)).toEqual([true, true]);
  expect(['application/json', 'x/y; of=text/event-stream'].map(isStream)).toEqual([false, false]);
  expect(isEventStream(new Response())).toBe(false);
});

it.each([Response.json({}), new Response(null, EVENTS)])('leaves any other response as it is', (response) => {
  let ends = 0;
  expect(
    withHooks(response, {
      onEnd: () => {
        ends += 1;
      },
    }),
  ).toBe(response);
  expect(ends).toBe(0);
});
