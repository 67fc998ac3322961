import { type InputRequired, type InputRequiredOptions, inputRequired, once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { TEXT_FORM } from '../replay/questions.ts';
import {
  type Act,
  actingFactory,
  firstCall,
  isAsk,
  type Replayed,
  serveReplay,
  URL_SERVED,
} from '../replay/replay-session.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { mirrorHeaders } from './play-vector.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const MINUTE = 60_000;

const askWith = (requestState?: unknown): InputRequired =>
  inputRequired({
    inputRequests: { a: inputRequired.elicit({ message: 'a', requestedSchema: TEXT_FORM }) },
    ...(requestState === undefined ? {} : { requestState }),
  });

interface Slow {
  readonly body: (act: Act) => Promise<InputRequired>;
  readonly codec?: InputRequiredOptions['requestState'];
  readonly why: string;
}

const OPENS = () => ({ step: 1 });

/** What an ask may wait for in vain before it goes out. */
const SLOW: Readonly<Record<string, Slow>> = {
  'seals its state': {
    body: async () => askWith({ step: 1 }),
    codec: { mint: never, verify: OPENS },
    why: 'its state could not be sealed: the codec option did not answer',
  },
  'reads the state that its handler minted': {
    body: async () => askWith('sealed'),
    codec: { mint: async () => 'sealed', verify: never },
    why: 'requestState is a string that the codec option did not open for this call: it was not minted for it, or the codec failed or did not answer within roundTimeout',
  },
  'waits for an effect of once': {
    body: async ({ extra }) => {
      void once(extra, 'effect', never);
      return askWith();
    },
    why: 'an effect of once had not settled after roundTimeout',
  },
};

function serve({ body, codec }: Slow): Replayed & { readonly clock: ManualClock } {
  const clock = new ManualClock();
  const inputRequired = {
    roundTimeout: MINUTE,
    ports: { clock },
    ...(codec === undefined ? {} : { requestState: codec }),
  };
  const served = serveReplay(actingFactory(body), { pushCalls: 'reject', inputRequired });
  return { ...served, clock };
}

describe.each(Object.keys(SLOW))('an ask for a modern client that %s', (name) => {
  const slow = SLOW[name] as Slow;

  it('ends its call after roundTimeout, with an event, and keeps nothing', async () => {
    const { tell, clock, events, handler } = serve(slow);
    let ended = false;
    const told = tell(firstCall()).finally(() => {
      ended = true;
    });
    await settle(20);
    await clock.advance(MINUTE - 1);
    expect([ended, handler.stats().modern.inFlight]).toEqual([false, 1]);
    await clock.advance(1);
    const { answer } = await told;
    expect(answer['error']).toStrictEqual({ code: -32603, message: `tools/call cannot ask: ${slow.why}` });
    expect(events).toStrictEqual([{ type: 'error', message: slow.why, method: 'tools/call', target: 'act' }]);
    expect([handler.stats().modern.inFlight, clock.pending]).toEqual([0, 0]);
  });

  it('is given up with its client, without an event, and keeps nothing', async () => {
    const { fetch, clock, events, handler } = serve(slow);
    const controller = new AbortController();
    const request = firstCall();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const init = { method: 'POST', body: JSON.stringify(request), signal: controller.signal };
    void fetch(URL_SERVED, { ...init, headers: { ...headers, ...mirrorHeaders(request) } });
    await settle(20);
    expect(handler.stats().modern.inFlight).toBe(1);
    controller.abort();
    await settle(20);
    expect(handler.stats().modern.inFlight).toBe(0);
    expect([events, clock.pending]).toEqual([[], 0]);
  });
});

describe('an ask for a modern client whose effect of once takes a while', () => {
  it('goes out with its result', async () => {
    let finish: (result: string) => void = () => undefined;
    const body = async ({ extra }: Act) => {
      void once(extra, 'effect', () => new Promise<string>((resolve) => (finish = resolve)));
      return askWith();
    };
    const { tell, clock } = serve({ body, why: '' });
    const told = tell(firstCall());
    await settle(20);
    await clock.advance(MINUTE - 1);
    finish('done');
    expect(isAsk((await told).answer)).toBe(true);
    expect(clock.pending).toBe(0);
  });
});
