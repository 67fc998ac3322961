import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, ask, form, outcomeOf, ROOTS, roots, SAMPLED, sampling, told, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { TRANSPORTS } from '../support/matrix.ts';
import type { TransportName } from '../support/open.ts';
import { expectSilence, play, session } from '../support/session.ts';

/** A form with every kind of field that revision 2025-06-18 can say, all but one with a default. */
const FULL_FORM: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', maxLength: 20, default: 'Ada' },
    code: { type: 'string', minLength: 2 },
    replicas: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
    ratio: { type: 'number', default: 0.5 },
    dry: { type: 'boolean', default: true },
    where: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    stage: {
      type: 'string',
      title: 'Stage',
      oneOf: [
        { const: 'prod', title: 'Production' },
        { const: 'test', title: 'Testing' },
      ],
      default: 'test',
    },
  },
  required: ['name', 'code'],
  additionalProperties: false,
};

const CHOICES: Json = {
  type: 'object',
  properties: { days: { type: 'array', items: { type: 'string', enum: ['sat', 'sun'] } } },
};

const open = (transport: TransportName, revision: string) =>
  session(transport, { revision, capabilities: ALL_CAPABILITIES });

describe.each(TRANSPORTS)('[H2d] elicitation on revision 2025-03-26 (%s)', (transport) => {
  it('is refused, naming the revision, and the other kinds are still asked', async () => {
    const { peer } = await open(transport, '2025-03-26');
    await play(peer, [ask({ who: form() })]);
    const answer = await peer.next();
    expect(outcomeOf(answer)).toEqual({
      reason: 'unsupported',
      method: 'tools/call',
      target: 'script',
      round: 1,
      key: 'who',
      revision: '2025-03-26',
    });
    expect(answer['result'].content[0].text).toBe(
      'The tool script was not completed: it has to ask something that this client cannot answer ' +
        '(revision 2025-03-26 has no elicitation).',
    );
    await expectSilence(peer);

    await play(peer, [ask({ sum: sampling(), where: roots() })]);
    await peer.answer(await peer.next(), SAMPLED);
    await peer.answer(await peer.next(), ROOTS);
    expect(told(await peer.next())).toMatchObject({
      responses: { sum: SAMPLED, where: ROOTS },
      canAsk: ['sampling', 'roots'],
    });
  });
});

describe.each(TRANSPORTS)('[H2g] elicitation on revision 2025-06-18 (%s)', (transport) => {
  it('is said in its words, and what it cannot say of defaults is filled in on the answer', async () => {
    const { peer } = await open(transport, '2025-06-18');
    await play(peer, [ask({ setup: form('Set it up', FULL_FORM) })]);
    const leg = await peer.next();
    expect(leg['params']).toEqual({
      message: 'Set it up',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', maxLength: 20 },
          code: { type: 'string', minLength: 2 },
          replicas: { type: 'integer', minimum: 1, maximum: 12 },
          ratio: { type: 'number' },
          dry: { type: 'boolean', default: true },
          where: { type: 'string', enum: ['eu', 'us'] },
          stage: {
            type: 'string',
            title: 'Stage',
            enum: ['prod', 'test'],
            enumNames: ['Production', 'Testing'],
          },
        },
        required: ['code'],
      },
    });
    await peer.answer(leg, { action: 'accept', content: { code: 'xy', stage: 'prod' } });
    expect(told(await peer.next())).toMatchObject({
      round: 1,
      responses: {
        setup: {
          action: 'accept',
          content: { name: 'Ada', code: 'xy', replicas: 2, ratio: 0.5, dry: true, where: 'eu', stage: 'prod' },
        },
      },
      canAsk: ['form', 'sampling', 'roots'],
    });
  });
});

describe.each(['memory', 'http'] as const)('revision 2025-06-18 (%s)', (transport) => {
  const cases = [
    ['URL mode', ask({ auth: url() }), 'auth', 'revision 2025-06-18 has no URL mode elicitation'],
    [
      'multiple choice',
      ask({ days: form('Which?', CHOICES) }),
      'days',
      'revision 2025-06-18 has no multiple choice (field "days")',
    ],
  ] as const;
  for (const [name, asked, key, why] of cases) {
    it(`[H2e] has no ${name}: the call is refused, naming the revision`, async () => {
      const { peer } = await open(transport, '2025-06-18');
      await play(peer, [asked]);
      const answer = await peer.next();
      expect(outcomeOf(answer)).toMatchObject({ reason: 'unsupported', key, revision: '2025-06-18' });
      expect(answer['result'].content[0].text).toContain(`(${why})`);
      await expectSilence(peer);
    });
  }

  it('takes an enum with enumNames as it is', async () => {
    const { peer } = await open(transport, '2025-06-18');
    const properties = { stage: { type: 'string', enum: ['p', 't'], enumNames: ['Production', 'Testing'] } };
    await play(peer, [ask({ stage: form('Which?', { type: 'object', properties }) })]);
    const leg = await peer.next();
    expect(leg['params'].requestedSchema).toEqual({ type: 'object', properties });
    await peer.answer(leg, { action: 'accept', content: { stage: 't' } });
    expect(told(await peer.next())['responses']).toEqual({ stage: { action: 'accept', content: { stage: 't' } } });
  });

  it('checks the answer to titled choices against the values, not the titles', async () => {
    const { peer } = await open(transport, '2025-06-18');
    await play(peer, [ask({ setup: form('Set it up', FULL_FORM) })]);
    await peer.answer(await peer.next(), { action: 'accept', content: { code: 'xy', stage: 'Production' } });
    expect(told(await peer.next())['views']).toEqual({
      setup: { kind: 'invalid', issues: [{ path: 'stage', message: 'must be one of the choices offered' }] },
    });
  });
});

describe.each(TRANSPORTS)('elicitation on revision 2025-11-25 (%s)', (transport) => {
  it('is said in full: mode, titled and multiple choices, defaults, and URLs with an id', async () => {
    const { peer } = await open(transport, '2025-11-25');
    await play(peer, [ask({ setup: form('Set it up', FULL_FORM), days: form('Which?', CHOICES), auth: url() })]);
    const setup = await peer.next();
    const { additionalProperties: _additional, ...said } = FULL_FORM;
    expect(setup['params']).toEqual({ mode: 'form', message: 'Set it up', requestedSchema: said });
    await peer.answer(setup, { action: 'accept', content: { code: 'xy' } });
    const days = await peer.next();
    expect(days['params']).toEqual({ mode: 'form', message: 'Which?', requestedSchema: CHOICES });
    await peer.answer(days, { action: 'accept', content: { days: ['sat', 'sun'] } });
    const auth = await peer.next();
    expect(auth['params']).toEqual({
      mode: 'url',
      message: 'Sign in',
      url: 'https://mcp.example.com/connect',
      elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await peer.answer(auth, { action: 'accept' });
    expect(told(await peer.next())).toMatchObject({
      responses: {
        setup: {
          action: 'accept',
          content: { name: 'Ada', code: 'xy', replicas: 2, ratio: 0.5, dry: true, where: 'eu', stage: 'test' },
        },
        days: { action: 'accept', content: { days: ['sat', 'sun'] } },
        auth: { action: 'accept' },
      },
      canAsk: ['form', 'url', 'sampling', 'sampling.tools', 'roots'],
    });
  });
});

describe('the elicitationId of a URL', () => {
  it('is the one the handler gave', async () => {
    const { peer } = await open('memory', '2025-11-25');
    const given = url();
    given['params'].elicitationId = 'mine-1';
    await play(peer, [ask({ auth: given })]);
    const leg = await peer.next();
    expect(leg['params'].elicitationId).toBe('mine-1');
    await peer.answer(leg, { action: 'decline' });
    await peer.next();
  });

  it('is minted for each leg when the handler gave none (F25)', async () => {
    const { peer } = await open('memory', '2025-11-25');
    await play(peer, [ask({ a: url(), b: url() }), ask({ c: url() })]);
    const ids = new Set<string>();
    for (let leg = 0; leg < 3; leg += 1) {
      const asked = await peer.next();
      ids.add(asked['params'].elicitationId);
      await peer.answer(asked, { action: 'accept' });
    }
    await peer.next();
    expect(ids.size).toBe(3);
    expect([...ids].every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
  });
});
