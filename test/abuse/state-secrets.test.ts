import { inspect } from 'node:util';
import {
  createRequestStateCodec,
  type DualEraEvent,
  inMemorySingleUseStore,
  type RequestStateCodecOptions,
  type StateCall,
} from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { bytesOf, FORMS, START, stateOf } from '../state/sealing.ts';
import { ADA, ask, form } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { createPlayServer, PLAY_PARAMS, type Play } from '../support/play-server.ts';
import { serveFactory } from '../support/serve-factory.ts';
import { expectNone, inEveryEncoding, listenToProcess } from './secrets.ts';

const PAYLOAD = 'payload-nobody-else-may-see';
const SUBJECT = 'subject-nobody-else-may-see';
const KEY = 'key-that-nobody-else-may-ever-see-in-any-place';
const BINDING = 'binding-nobody-else-may-see';
const ARGUMENT = 'argument-nobody-else-may-see';

const SECRETS = inEveryEncoding([PAYLOAD, SUBJECT, KEY, BINDING, ARGUMENT]);

const expectNoSecret = (said: readonly unknown[]): void => expectNone(SECRETS, said);

const CALL: StateCall = {
  method: 'tools/call',
  params: { name: 'deploy', arguments: { target: ARGUMENT } },
  authInfo: { clientId: 'app', extra: { sub: SUBJECT } },
};

const { said } = listenToProcess();

describe('[Q3c] the errors of a codec', () => {
  /** Everything that `run` throws, rejects with, or says. */
  const caught = async (run: () => unknown): Promise<unknown> => {
    try {
      await run();
    } catch (error) {
      return error;
    }
    throw new Error('The state was accepted');
  };

  it.each(FORMS)('tell nothing of the payload, the subject, the binding or the key, %s', async (_form, encrypt) => {
    const clock = { now: START };
    const options: RequestStateCodecOptions = { keys: KEY, encrypt, ports: { now: () => clock.now } };
    const store = inMemorySingleUseStore({ ports: { now: () => clock.now } });
    const codec = createRequestStateCodec({ ...options, singleUse: store });
    const failing = createRequestStateCodec({
      ...options,
      singleUse: { consume: () => Promise.reject(new Error(`${PAYLOAD} ${KEY}`)) },
    });
    const throwing = createRequestStateCodec({
      ...options,
      singleUse: undefined,
      bind: () => {
        throw new Error(`${SUBJECT} ${BINDING}`);
      },
    });
    const small = createRequestStateCodec({ ...options, singleUse: undefined, maxBytes: 1 });
    const other = createRequestStateCodec({ keys: 'x'.repeat(32) });
    const state = codec.mint({ secret: PAYLOAD }, CALL);
    const changed = bytesOf(state);
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
    await codec.verify(state, CALL);
    const fresh = codec.mint({ secret: PAYLOAD }, CALL);
    const errors = [
      await caught(() => codec.verify(PAYLOAD, CALL)),
      await caught(() => codec.verify(`v1.${PAYLOAD}`, CALL)),
      await caught(() => codec.verify(stateOf(changed), CALL)),
      await caught(() => codec.verify(state, CALL)),
      await caught(() => codec.verify(fresh, { ...CALL, params: { name: ARGUMENT } })),
      await caught(() => codec.verify(fresh, { binding: BINDING })),
      await caught(() => other.verify(fresh, CALL)),
      await caught(() => failing.verify(failing.mint(PAYLOAD, CALL), CALL)),
      await caught(() => throwing.verify(fresh, CALL)),
      await caught(() => small.mint(PAYLOAD, CALL)),
      await caught(() => codec.mint(undefined, CALL)),
      await caught(() => codec.mint(() => PAYLOAD, CALL)),
      await caught(() => codec.mint(Symbol('s'), { binding: BINDING })),
      await caught(() => codec.mint(1, { binding: [BINDING] } as never)),
    ];
    clock.now = START + 600_000;
    errors.push(await caught(() => codec.verify(fresh, CALL)));
    clock.now = START - 60_001;
    errors.push(await caught(() => codec.verify(fresh, CALL)));
    expect(errors).toHaveLength(16);
    expectNoSecret(errors);
    expectNoSecret(said);
  });

  it('tell nothing of a key that is refused', async () => {
    const short = KEY.slice(0, 31);
    const given: unknown[] = [short, [KEY, short], { key: KEY }, [{ key: KEY }], [[KEY]], () => KEY, Symbol(KEY)];
    const create = (keys: unknown) => () => createRequestStateCodec({ keys: keys as string });
    const errors = await Promise.all(given.map((keys) => caught(create(keys))));
    for (const error of errors) expect(inspect(error)).not.toContain(short);
    expectNoSecret(errors);
  });

  it('and the codec itself tell nothing of the key', () => {
    const codec = createRequestStateCodec({ keys: KEY });
    codec.mint(PAYLOAD, CALL);
    expectNoSecret([codec, Object.values(codec)]);
  });
});

describe('[Q3c] a server that is abused', () => {
  const params = PLAY_PARAMS['tools/call'] as Json;

  /** A handler for everything that can go wrong with a state: the round says what. */
  const abusedBy = (states: string[]): Play => {
    let run = 0;
    return async (context) => {
      run += 1;
      states.push(await context.mintRequestState({ secret: PAYLOAD }));
      if (context.round > 0) return ask({ who: form(`Again ${run}?`) }, `${states[0]}x`);
      if (run === 1) return 'kept';
      if (run === 2) return ask({ who: form() }, states[0]);
      if (run === 3) return ask({ who: form() }, PAYLOAD);
      if (run === 4) return ask({ who: form() }, { secret: PAYLOAD.repeat(10_000) });
      if (run === 5) return ask({ who: form() }, 10n);
      return ask({ who: form() }, { secret: PAYLOAD });
    };
  };

  it('tells nothing in its answers, its events, its errors and its output', async () => {
    const [states, events] = [[] as string[], [] as DualEraEvent[]];
    const options = { requestState: { keys: KEY }, onEvent: (event: DualEraEvent) => void events.push(event) };
    const served = await serveFactory(() => createPlayServer(abusedBy(states), { options }));
    const { peer } = served.connect();
    await peer.handshake({ capabilities: { elicitation: {} } });
    for (let id = 1; id <= 6; id += 1) {
      // Each call from another caller, the last one answered.
      const caller = { 'x-test-caller': `app/${id === 2 ? 'another' : SUBJECT}` };
      await peer.send(
        { jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, requestState: states[0] ?? PAYLOAD } },
        caller,
      );
      const answer = await peer.next();
      if (answer['method'] === undefined) continue;
      await peer.answer(answer, ADA, { 'x-test-caller': 'app/another' });
      await peer.answer(answer, ADA, caller);
      await peer.next();
    }
    await served.close();
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(5);
    expect(events.some(({ type }) => type === 'foreign-answer')).toBe(true);
    expectNoSecret(events);
    expectNoSecret(peer.inbox.all);
    expectNoSecret(said);
    // None of what was sealed goes out either.
    expect(JSON.stringify([events, peer.inbox.all, said])).not.toContain('v1.');
  });

  it('tells nothing in its warning where there is no hook', async () => {
    const warnings: string[] = [];
    const ports = { warn: (message: string) => void warnings.push(message) };
    const server = createPlayServer(() => ask({ who: form() }, PAYLOAD), {
      options: { ports, requestState: { keys: KEY } },
    });
    const { peer, errors, close } = await connectMemory(server);
    await peer.handshake({ capabilities: { elicitation: {} } });
    await peer.request('tools/call', params);
    await peer.next();
    await settle();
    await close();
    expect(warnings).toHaveLength(1);
    expectNoSecret([...warnings, ...errors, ...peer.inbox.all, ...said]);
  });
});
