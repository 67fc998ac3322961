import { expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, ROOTS, roots, SAMPLED, sampling, told, url } from '../support/asks.ts';
import { describeTransports, METHODS } from '../support/matrix.ts';
import { openSession } from '../support/open.ts';
import { scriptParams } from '../support/script-server.ts';

describeTransports('an ask on a handshake connection', ({ transport, sdk }) => {
  for (const method of METHODS) {
    it(`is fulfilled with a live request, and ${method} runs again with the answer`, async () => {
      const { peer, runs, close } = await openSession(transport, { capabilities: { elicitation: {} } }, { sdk });
      const id = await peer.request(method, scriptParams(method, [ask({ who: form() }, { step: 1 })]));
      const leg = await peer.next();
      expect(leg['method']).toBe('elicitation/create');
      expect(leg['params']).toEqual({
        mode: 'form',
        message: 'Your name?',
        requestedSchema: form()['params'].requestedSchema,
      });
      expect(typeof leg['id']).toBe('string');
      await peer.answer(leg, ADA);
      const answer = await peer.next();
      expect(answer['id']).toBe(id);
      expect(told(answer)).toEqual({
        round: 1,
        responses: { who: ADA },
        views: { who: { kind: 'elicit', action: 'accept', content: { name: 'Ada' } } },
        state: { step: 1 },
        canAsk: ['form'],
      });
      expect(runs).toHaveLength(2);
      await close();
    });
  }

  it('asks all four kinds in one round, one dialog at a time', async () => {
    const { peer, close } = await openSession(transport, { capabilities: ALL_CAPABILITIES }, { sdk });
    const asked = ask({ who: form(), auth: url(), sum: sampling(), where: roots() });
    await peer.request('tools/call', scriptParams('tools/call', [asked]));
    const answers = [ADA, { action: 'accept' }, SAMPLED, ROOTS];
    const methods: string[] = [];
    for (const answer of answers) {
      const leg = await peer.next();
      methods.push(leg['method']);
      await peer.answer(leg, answer);
    }
    expect(methods).toEqual(['elicitation/create', 'elicitation/create', 'sampling/createMessage', 'roots/list']);
    expect(told(await peer.next())['responses']).toEqual({
      who: ADA,
      auth: { action: 'accept' },
      sum: SAMPLED,
      where: ROOTS,
    });
    await close();
  });
});
