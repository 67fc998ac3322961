import { expect, it } from 'vitest';
import { isEmbeddedMethod, kindOf } from '../../packages/shim/src/core/embedded-request.ts';
import { misplacedAsk } from '../../packages/shim/src/core/misplaced-ask.ts';

it.each([
  ['elicitation/create', true],
  ['sampling/createMessage', true],
  ['roots/list', true],
  ['ping', false],
  ['', false],
  [undefined, false],
  [7, false],
])('%j asks the client something: %s', (method, asks) => {
  expect(isEmbeddedMethod(method)).toBe(asks);
});

it.each([
  ['elicitation/create', {}, 'form'],
  ['elicitation/create', { mode: 'form' }, 'form'],
  ['elicitation/create', { mode: 'url', tools: [] }, 'url'],
  ['roots/list', { tools: [] }, 'roots'],
  ['sampling/createMessage', {}, 'sampling'],
  ['sampling/createMessage', { mode: 'url' }, 'sampling'],
  ['sampling/createMessage', { tools: [] }, 'sampling.tools'],
  ['sampling/createMessage', { toolChoice: {} }, 'sampling.tools'],
] as const)('%s with %j is of the kind %s', (method, params, kind) => {
  expect(kindOf(method, params)).toBe(kind);
});

it.each([
  [{ method: 'elicitation/create', params: {} }, /returned a question by itself/],
  [{ ask: { resultType: 'input_required' } }, /returned all that confirm gives/],
])('%j is an ask in the wrong place', (result, words) => {
  expect(misplacedAsk(result)).toMatch(words);
});

it.each([
  [{ method: 'elicitation/create' }],
  [{ method: 'elicitation/create', params: [] }],
  [{ method: 'notes/add', params: {} }],
  [{ params: {} }],
  [{ ask: 'why' }],
  [{ ask: {} }],
  [{}],
])('%j is a result', (result) => {
  expect(misplacedAsk(result)).toBeUndefined();
});
