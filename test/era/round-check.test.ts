import { describe, expect, it, vi } from 'vitest';
import { ALL_CAPABILITIES, ask, form, outcomeOf, roots, sampling, samplingWithTools, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import type { Opened, TransportName } from '../support/open.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, expectSilence, play, session } from '../support/session.ts';

async function openOn(transport: TransportName, capabilities: unknown): Promise<Opened> {
  return transport === 'memory' ? clockSession({ capabilities }) : session(transport, { capabilities });
}

/** Plays one ask and returns its answer, which must be all that the peer is sent. */
async function refusal({ peer, runs }: Opened, asked: Json, method = 'tools/call'): Promise<Json> {
  const before = peer.inbox.all.length;
  const id = await peer.request(method, scriptParams(method, [asked]));
  const answer = await peer.next();
  expect(answer['id']).toBe(id);
  await expectSilence(peer);
  expect(peer.inbox.all).toHaveLength(before + 2);
  await vi.waitFor(() => expect(runs.filter((run) => run !== 'echo')).toHaveLength(1));
  return answer;
}

describe('a round that cannot be asked as a whole', () => {
  for (const transport of ['memory', 'stdio', 'http'] as const) {
    it(`is refused before its first question goes out (${transport})`, async () => {
      const opened = await openOn(transport, { elicitation: {} });
      const answer = await refusal(opened, ask({ who: form(), sum: sampling() }));
      const text =
        'The tool script was not completed: it has to ask something that this client cannot answer ' +
        '(it did not declare sampling).';
      expect(answer['result']).toEqual({
        content: [{ type: 'text', text }],
        isError: true,
        _meta: {
          'mcp-dual-era/outcome': {
            reason: 'unsupported',
            method: 'tools/call',
            target: 'script',
            round: 1,
            requiredCapabilities: { sampling: {} },
          },
        },
      });
      expect(opened.events).toEqual([]);
    });
  }

  it('is refused with legs: concurrent too', async () => {
    const opened = await clockSession({ capabilities: { elicitation: {} } }, { options: { legs: 'concurrent' } });
    const answer = await refusal(opened, ask({ who: form(), where: roots() }));
    expect(outcomeOf(answer)).toMatchObject({ reason: 'unsupported', requiredCapabilities: { roots: {} } });
  });

  for (const method of METHODS.slice(1)) {
    it(`ends ${method} with a JSON-RPC error that has the outcome as its data`, async () => {
      const opened = await clockSession({ capabilities: { roots: {} } });
      const asked = ask({ where: roots(), who: form() });
      const answer = await refusal(opened, asked, method);
      const target = method === 'prompts/get' ? 'script' : scriptParams(method, [asked])['uri'];
      expect(answer['error'].code).toBe(-32603);
      expect(answer['error'].data).toEqual({
        reason: 'unsupported',
        method,
        target,
        round: 1,
        requiredCapabilities: { elicitation: { form: {} } },
      });
      expect(answer['error'].message).toMatch(/was not completed: it has to ask something that this client cannot/);
    });
  }

  it('names every capability that is missing', async () => {
    const opened = await clockSession({ capabilities: {} });
    const asked = ask({ who: form(), auth: url(), sum: samplingWithTools(), where: roots() });
    expect(outcomeOf(await refusal(opened, asked))).toEqual({
      reason: 'unsupported',
      method: 'tools/call',
      target: 'script',
      round: 1,
      requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
    });
  });

  it.each<[string, Json, Json, string]>([
    [
      '2025-11-25',
      {},
      ask({ who: form(), auth: url(), where: roots(), there: roots() }),
      'it did not declare elicitation.form, elicitation.url, roots',
    ],
    [
      '2025-06-18',
      ALL_CAPABILITIES,
      ask({ who: form(), auth: url() }),
      'revision 2025-06-18 has no URL mode elicitation',
    ],
    [
      '2025-03-26',
      {},
      ask({ who: form(), sum: sampling(), auth: url() }),
      'revision 2025-03-26 has no elicitation; revision 2025-03-26 has no URL mode elicitation; it did not declare sampling',
    ],
  ])('says in words what is missing on %s', async (revision, capabilities, asked, what) => {
    const opened = await clockSession({ revision, capabilities });
    const answer = await refusal(opened, asked);
    expect(answer['result'].content[0].text).toBe(
      `The tool script was not completed: it has to ask something that this client cannot answer (${what}).`,
    );
  });

  it('names only the capabilities that are missing', async () => {
    const opened = await clockSession({ capabilities: { elicitation: { url: {} }, sampling: {} } });
    const asked = ask({ auth: url(), who: form(), sum: sampling(), tool: samplingWithTools() });
    expect(outcomeOf(await refusal(opened, asked))['requiredCapabilities']).toEqual({
      elicitation: { form: {} },
      sampling: { tools: {} },
    });
  });

  it('counts a URL as missing for a client that declared elicitation without modes (F29)', async () => {
    const opened = await clockSession({ capabilities: { elicitation: {} } });
    const outcome = outcomeOf(await refusal(opened, ask({ who: form(), auth: url() })));
    expect(outcome['requiredCapabilities']).toEqual({ elicitation: { url: {} } });
  });

  it('counts a form as missing for a client that declared elicitation.url alone (F29)', async () => {
    const opened = await clockSession({ capabilities: { elicitation: { url: {} } } });
    const outcome = outcomeOf(await refusal(opened, ask({ auth: url(), who: form() })));
    expect(outcome['requiredCapabilities']).toEqual({ elicitation: { form: {} } });
  });

  it('names the revision where that cannot say the second question', async () => {
    const opened = await clockSession({ revision: '2025-06-18', capabilities: ALL_CAPABILITIES });
    expect(outcomeOf(await refusal(opened, ask({ who: form(), auth: url() })))).toEqual({
      reason: 'unsupported',
      method: 'tools/call',
      target: 'script',
      round: 1,
      key: 'auth',
      revision: '2025-06-18',
    });
  });

  it('names the revision and what is missing beside it', async () => {
    const opened = await clockSession({ revision: '2025-03-26', capabilities: { sampling: {} } });
    const outcome = outcomeOf(await refusal(opened, ask({ sum: sampling(), where: roots(), who: form() })));
    expect(outcome).toMatchObject({ key: 'who', revision: '2025-03-26', requiredCapabilities: { roots: {} } });
  });

  it('ends with -32603 when its second entry is a mistake of the server', async () => {
    const opened = await clockSession({ capabilities: { elicitation: {} } });
    const asked = ask({ who: form(), bad: { method: 'elicitation/create' } });
    const answer = await refusal(opened, asked);
    expect(answer['error']).toEqual({
      code: -32603,
      message: 'tools/call cannot ask: inputRequests["bad"].params must be an object, got undefined',
    });
    expect(opened.events).toEqual([
      {
        type: 'error',
        message: 'inputRequests["bad"].params must be an object, got undefined',
        method: 'tools/call',
        target: 'script',
      },
    ]);
  });

  it('ends with -32603 when its state is larger than requestState.maxBytes', async () => {
    const opened = await clockSession(
      { capabilities: { elicitation: {} } },
      { options: { requestState: { maxBytes: 10 } } },
    );
    const answer = await refusal(opened, ask({ who: form() }, { a: 'bcdef' }));
    expect(answer['error']).toEqual({
      code: -32603,
      message: 'tools/call cannot ask: requestState must have at most 10 bytes as JSON, got 13',
    });
  });

  it('is refused in a later round as well, with the number of that round', async () => {
    const { peer } = await clockSession({ capabilities: { elicitation: {} } });
    await play(peer, [ask({ who: form() }), ask({ again: form('And now?'), where: roots() })]);
    await peer.answer(await peer.next(), { action: 'accept', content: { name: 'Ada' } });
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'unsupported', round: 2 });
    await expectSilence(peer);
  });
});
