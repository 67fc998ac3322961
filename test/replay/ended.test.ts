import { setImmediate as turn } from 'node:timers/promises';
import type { DualEraEvent } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { serveInProcess } from '../serve/in-process-server.ts';
import { mirrorHeaders } from '../serve/play-vector.ts';
import { roots } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { askText, elicit } from './questions.ts';
import { manyFactory } from './replay-process.ts';
import { type Act, actingFactory, type Body, firstCall, serveReplay, URL_SERVED } from './replay-session.ts';

interface Served {
  readonly events: DualEraEvent[];
  /** Sends a request that nobody waits for. */
  send(request: Json): void;
  cancel(request: Json): void;
}

interface Setting {
  readonly sdk: SdkName;
  readonly suspend?: 'reject' | 'pending';
}

function serveStdio(body: Body, { sdk, suspend = 'reject' }: Setting): Served {
  const events: DualEraEvent[] = [];
  const inputRequired = { onEvent: (event: DualEraEvent) => void events.push(event) };
  const options = { pushCalls: 'replay', suspend, inputRequired } as const;
  const { peer } = serveInProcess(manyFactory({ act: body }, sdk), options);
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const cancel = ({ id: requestId }: Json) =>
    void peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, _meta } });
  return { events, send: (request) => void peer.send(request), cancel };
}

function serveHttp(body: Body, { sdk, suspend = 'reject' }: Setting): Served {
  const { fetch, events } = serveReplay(actingFactory(body, sdk), { suspend });
  const controller = new AbortController();
  const send = (request: Json) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const init = { method: 'POST', body: JSON.stringify(request), signal: controller.signal };
    void fetch(URL_SERVED, { ...init, headers: { ...headers, ...mirrorHeaders(request) } });
  };
  return { events, send, cancel: () => controller.abort() };
}

const SERVES = { stdio: serveStdio, http: serveHttp };

const aborted = ({ signal }: Act['extra']): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

async function turns(count: number): Promise<void> {
  for (let turned = 0; turned < count; turned += 1) await turn();
}

/** What became of a question: `reject` and `finally` of the run that asked it. */
async function outcomeOf(asked: Promise<unknown>, steps: unknown[]): Promise<void> {
  try {
    steps.push(await asked);
  } catch (error) {
    const { name, code, message } = error as { name: string; code: unknown; message: string };
    steps.push({ name, code, message });
  } finally {
    steps.push('left');
  }
}

const ended = (method: string) => ({
  name: 'DualEraError',
  code: 'CALL_ENDED',
  message: expect.stringContaining(`${method} was sent for the request`),
});

const WAYS: readonly (readonly [string, string, (act: Act, sdk: SdkName) => Promise<unknown>])[] = [
  ['server.elicitInput', 'elicitation/create', (act) => elicit(act, 'Late?')],
  ['server.listRoots', 'roots/list', ({ server }) => server.listRoots()],
  [
    'extra.sendRequest',
    'roots/list',
    ({ extra }, sdk) => extra.sendRequest(roots() as never, sdkNamed(sdk).types.ListRootsResultSchema),
  ],
];

for (const transport of ['stdio', 'http'] as const) {
  for (const sdk of ['newest', 'oldest'] as const) {
    describe(`[P2f] a run that asks when its call has ended (${transport}, ${sdk} SDK v1)`, () => {
      const serve = SERVES[transport];

      // Of a cancelled call, SDK v1 may refuse extra.sendRequest by itself.
      it.each(WAYS.slice(0, 2))('by a cancel is told so by %s, and leaves', async (_name, method, ask) => {
        const steps: unknown[] = [];
        let begun = false;
        const { events, send, cancel } = serve(
          async (act) => {
            begun = true;
            await aborted(act.extra);
            await outcomeOf(ask(act, sdk), steps);
            return 'never read';
          },
          { sdk },
        );
        const request = firstCall();
        send(request);
        while (!begun) await turn();
        cancel(request);
        await settle(20);
        expect([steps, events]).toEqual([[ended(method), 'left'], []]);
      });

      it.each(WAYS)(
        'by its result, in a job it has begun, is told so by %s, and leaves',
        async (_name, method, ask) => {
          const steps: unknown[] = [];
          const { events, send } = serve(
            async (act) => {
              void turns(10).then(() => outcomeOf(ask(act, sdk), steps));
              return 'returned';
            },
            { sdk },
          );
          send(firstCall());
          await settle(40);
          expect([steps, events]).toEqual([[ended(method), 'left'], []]);
        },
      );
    });
  }
}

describe('[P2f] a run on stdio that asks when its call has ended', () => {
  it("is told so with suspend: 'pending' too, which is about the runs that were suspended", async () => {
    const steps: unknown[] = [];
    const { events, send } = serveStdio(
      async (act) => {
        void turns(10).then(() => outcomeOf(elicit(act, 'Late?'), steps));
        return 'returned';
      },
      { sdk: 'newest', suspend: 'pending' },
    );
    send(firstCall());
    await settle(40);
    expect([steps, events]).toEqual([[ended('elicitation/create'), 'left'], []]);
  });

  it('is told so where it lost its context, by the request it names', async () => {
    const steps: unknown[] = [];
    // What is called from outside of every run.
    let outside: () => Promise<void> = async () => undefined;
    const { events, send } = serveStdio(
      async ({ server, extra }) => {
        const { requestId: relatedRequestId } = extra;
        outside = () => outcomeOf(server.listRoots({}, { relatedRequestId }), steps);
        return 'returned';
      },
      { sdk: 'newest' },
    );
    send(firstCall());
    await settle(20);
    await outside();
    expect([steps, events]).toEqual([[ended('roots/list'), 'left'], []]);
  });

  it('does not keep the process from everything else where it asks again whatever happens', async () => {
    let tries = 0;
    const { send } = serveStdio(
      async (act) => {
        void turns(10).then(async () => {
          for (; tries < 10_000; tries += 1) await askText(act, 'Late?').catch(() => undefined);
        });
        return 'returned';
      },
      { sdk: 'newest' },
    );
    send(firstCall());
    await settle(100);
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(200);
  });

  it('is told so where the cancel comes between its question and the ask', async () => {
    const steps: unknown[] = [];
    const request = firstCall();
    const { events, send, cancel } = serveStdio(
      async (act) => {
        const asked = elicit(act, 'Now?');
        cancel(request);
        await outcomeOf(asked, steps);
        return 'never read';
      },
      { sdk: 'newest' },
    );
    send(request);
    await settle(20);
    expect([steps, events]).toEqual([[ended('elicitation/create'), 'left'], []]);
  });

  it.each([
    ['that its client can answer', undefined],
    ['that its client cannot answer', {}],
  ])(
    'leaves no question without an answer, where it returned in the turn it asked one %s',
    async (_name, capabilities) => {
      const steps: unknown[] = [];
      const { events, send } = serveStdio(
        async (act) => {
          void outcomeOf(elicit(act, 'Now?'), steps);
          return 'quick';
        },
        { sdk: 'newest' },
      );
      send(firstCall(undefined, capabilities));
      await settle(20);
      expect([steps, events]).toEqual([[ended('elicitation/create'), 'left'], []]);
    },
  );
});
