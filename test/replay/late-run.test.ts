import { expect, it } from 'vitest';
import { LOG_LEVEL } from '../serve/malformed-request.ts';
import { callOf, retryOf, textOf } from '../serve/modern-message.ts';
import { ALL_CAPABILITIES } from '../support/asks.ts';
import { shouting } from './questions.ts';
import { eventsComeTo, spawnReplay } from './replay-process.ts';
import { answersTo, isAsk } from './replay-session.ts';

const CONTINUED = { type: 'continued-after-suspend', method: 'tools/call', target: 'zombie' };

// On one pipe an id is free again once it has been answered: a client may use it for its retry.
it.each([
  ['an id of its own', 'oldest', undefined],
  ['the id of the first request', 'oldest', 'same'],
  ['the id of the first request', 'newest', 'same'],
] as const)(
  '[P2d] a suspended run that goes on while the retry runs, under %s, reaches nobody (%s SDK v1)',
  async (_name, sdk, id) => {
    const served = spawnReplay({ sdk });
    const meta = { [LOG_LEVEL]: 'debug', progressToken: 'p' };
    const said = { capabilities: ALL_CAPABILITIES, meta, ...(id === undefined ? {} : { id }) };
    const request = callOf('zombie', {}, said);
    const { answer: first } = await served.tell(request);
    const retry = retryOf(request, first, answersTo(first, shouting), said);
    const { notifications, answer } = await served.tell(retry);
    expect([isAsk(answer), notifications]).toEqual([false, []]);
    expect(textOf(answer)).toBe('alive');
    await eventsComeTo(() => served.events, [CONTINUED]);
  },
);
