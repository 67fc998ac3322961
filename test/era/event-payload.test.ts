import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, ask, form, roots, SAMPLED, sampling, url } from '../support/asks.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { clockSession, play } from '../support/session.ts';

describe('the events of everything that can happen', () => {
  const SECRET = 'xyzzy';

  it('never have a payload, an answer or a subject in them', async () => {
    const { peer, clock, events } = await clockSession(
      { capabilities: ALL_CAPABILITIES },
      {
        options: { legs: 'concurrent', onFailedLeg: 'reenter', roundTimeout: 5_000 },
      },
    );
    const secretForm = form(`Question ${SECRET}`, {
      type: 'object',
      properties: { name: { type: 'string', title: SECRET, default: SECRET, maxLength: 30 } },
    });
    const everything = { a: secretForm, b: url(SECRET, `https://${SECRET}.test/`), c: sampling(SECRET), d: roots() };
    const answers = {
      'elicitation/create': { action: 'accept', content: { name: SECRET } },
      'sampling/createMessage': { ...SAMPLED, model: SECRET },
      'roots/list': { roots: [{ uri: `file:///${SECRET}` }] },
    };
    for (const method of METHODS.slice(0, 2)) {
      await peer.request(method, scriptParams(method, [ask(everything, { state: SECRET }), ask({ a: secretForm })]));
      for (let leg = 0; leg < 4; leg += 1) {
        const question = await peer.next();
        await peer.answer(question, answers[question['method'] as keyof typeof answers]);
      }
      const last = await peer.next();
      await peer.answer(last, { action: SECRET, content: SECRET });
      await peer.answer(last, { action: SECRET });
      await peer.next();
    }
    await play(peer, [ask({ a: secretForm })]);
    await peer.answerError(await peer.next(), -32601, SECRET);
    await peer.next();
    await play(peer, [ask({ a: secretForm })]);
    await peer.next();
    await clock.advance(5_000);
    await peer.next();
    await peer.next();
    await play(peer, [{ resultType: 'input_required', requestState: `${SECRET}` }]);
    await peer.next();
    await play(peer, [ask({ a: form('Which?', { type: 'object', properties: { n: { type: SECRET } } }) })]);
    await peer.next();

    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['round-start', 'leg-start', 'leg-end', 'round-end', 'hold-end', 'late-answer', 'error']),
    );
    // What an author wrote into a schema may be in the error that is about it, and nowhere else.
    expect(JSON.stringify(events.filter(({ type }) => type !== 'error'))).not.toContain(SECRET);
  });
});
