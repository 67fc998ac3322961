import { describe, expect, it } from 'vitest';
import {
  ADA,
  ALL_CAPABILITIES,
  ask,
  form,
  ROOTS,
  roots,
  SAMPLED,
  sampling,
  samplingWithTools,
  url,
} from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { METHODS } from '../support/matrix.ts';
import { openSession } from '../support/open.ts';
import type { Peer } from '../support/peer.ts';
import { scriptParams } from '../support/script-server.ts';
import { createSchemaCheck, definitionOf } from './schema-check.ts';

const WIDE_FORM: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: 20, default: 'Ada' },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
    agreed: { type: 'boolean', default: true },
    color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
  },
  required: ['name'],
  additionalProperties: false,
};
const CHOICES: Json = {
  type: 'object',
  properties: {
    plain: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
    titled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  },
};

const wideForm = (): Json => {
  const request = form('Who?', WIDE_FORM);
  request['params'].note = 'Once more, please';
  return request;
};

/** What each revision can be asked, by key. */
const ASKS: Readonly<Record<string, Json>> = {
  '2025-03-26': { sum: sampling(), where: roots() },
  '2025-06-18': { who: wideForm(), sum: sampling(), where: roots() },
  '2025-11-25': {
    who: wideForm(),
    what: form('What?', CHOICES),
    auth: url(),
    sum: sampling(),
    tool: samplingWithTools(),
    where: roots(),
  },
};
const ANSWERS: Readonly<Record<string, Json>> = {
  who: ADA,
  what: { action: 'accept', content: { plain: ['b'] } },
  auth: { action: 'accept' },
  sum: SAMPLED,
  tool: SAMPLED,
  where: ROOTS,
};
/** A question of a later revision, where there is one. */
const LATER: Readonly<Record<string, Json | undefined>> = {
  '2025-03-26': form(),
  '2025-06-18': form('What?', CHOICES),
  '2025-11-25': undefined,
};
const RESULTS = 'CallToolResult GetPromptResult InitializeResult JSONRPCError ReadResourceResult';
const NOTIFICATIONS = 'CancelledNotification ProgressNotification';
const SEEN: Readonly<Record<string, string>> = {
  '2025-03-26': `${RESULTS} ${NOTIFICATIONS} CreateMessageRequest ListRootsRequest`,
  '2025-06-18': `${RESULTS} ${NOTIFICATIONS} CreateMessageRequest ElicitRequest ListRootsRequest`,
  '2025-11-25': `${RESULTS} ${NOTIFICATIONS} CreateMessageRequest ElicitRequest ListRootsRequest`,
};

describe.each(Object.keys(ASKS))('on revision %s', (revision) => {
  it('[S13] every message that the server sends is valid, and says nothing that the revision does not know', async () => {
    const clock = new ManualClock();
    const options = { ports: { clock }, maxRounds: 2 };
    const capabilities = ALL_CAPABILITIES;
    const session = await openSession('memory', { revision, capabilities }, { options });
    const sent = new Map<string | number, string>([[0, 'initialize']]);
    for (const method of METHODS) await playEveryScene({ peer: session.peer, clock, sent, method, revision });
    await session.close();

    const check = createSchemaCheck(revision);
    const { all } = session.peer.inbox;
    const problems = all.map((message) => check.problemOf(message, sent.get(message['id'])));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    const seen = new Set(all.map((message) => definitionOf(message, sent.get(message['id']))));
    expect([...seen].sort()).toEqual(SEEN[revision]?.split(' ').sort());
  });
});

interface Scene {
  readonly peer: Peer;
  readonly clock: ManualClock;
  /** The method of each request sent, by id. */
  readonly sent: Map<string | number, string>;
  readonly method: string;
  readonly revision: string;
}

async function playEveryScene(scene: Scene): Promise<void> {
  const { peer, clock, method, revision } = scene;
  const asked = ASKS[revision] as Json;
  const keys = Object.keys(asked);
  const once = ask({ where: roots() }, { step: 1 });

  // Answered, with a heartbeat before each answer.
  await start(scene, [ask(asked)]);
  for (const key of keys) {
    await clock.advance(15_000);
    await peer.answer(await nextLeg(peer), ANSWERS[key]);
  }
  await untilAnswered(scene);
  // Not answered in time.
  await start(scene, [once]);
  await nextLeg(peer);
  await clock.advance(600_000);
  await untilAnswered(scene);
  // Answered with an error.
  await start(scene, [once]);
  await peer.answerError(await nextLeg(peer), -32601);
  await untilAnswered(scene);
  // Answered with nonsense as often as is allowed.
  await start(scene, [once, once, once]);
  for (let round = 0; round < 2; round += 1) await peer.answer(await nextLeg(peer), { roots: 'none' });
  await untilAnswered(scene);
  // A mistake of the server, a question of a later revision, a request id twice.
  await start(scene, [ask({})]);
  await untilAnswered(scene);
  const later = LATER[revision];
  if (later !== undefined) {
    await start(scene, [ask({ later })]);
    await untilAnswered(scene);
  }
  const id = await start(scene, [once]);
  const leg = await nextLeg(peer);
  await peer.request(method, scriptParams(method, [once]), id);
  await untilAnswered(scene);
  // Cancelled.
  await peer.cancel(id);
  await settle();
  expect(peer.inbox.all.at(-1)?.['params']?.requestId).toBe(leg['id']);
}

async function start({ peer, method, sent }: Scene, script: readonly unknown[]): Promise<string | number> {
  const id = await peer.request(method, { ...scriptParams(method, script), _meta: { progressToken: sent.size } });
  sent.set(id, method);
  return id;
}

async function nextLeg(peer: Peer): Promise<Json> {
  for (;;) {
    const message = await peer.next();
    if ('method' in message && 'id' in message) return message;
  }
}

async function untilAnswered({ peer }: Scene): Promise<Json> {
  for (;;) {
    const message = await peer.next();
    if (!('method' in message)) return message;
  }
}
