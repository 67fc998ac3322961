import { describe, expect, it } from 'vitest';
import type { CheckedRequest } from '../../packages/shim/src/core/check-ask.ts';
import { readLegAnswer } from '../../packages/shim/src/handshake/leg-answer.ts';
import type { Json } from '../support/json.ts';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, unit: { type: 'string', default: 'km' } },
  required: ['name'],
};
const FORM = { key: 'q', kind: 'form', method: 'elicitation/create', params: { requestedSchema: SCHEMA } };
const PLAIN = { ...FORM, params: { requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } };
const URL_MODE = { key: 'q', kind: 'url', method: 'elicitation/create', params: { mode: 'url' } };
const SAMPLING = { key: 'q', kind: 'sampling', method: 'sampling/createMessage', params: {} };
const ROOTS = { key: 'q', kind: 'roots', method: 'roots/list', params: {} };
const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } };
const LISTED = { roots: [{ uri: 'file:///a' }] };

const read = (request: Json, members: Json) =>
  readLegAnswer(request as unknown as CheckedRequest, { jsonrpc: '2.0', id: 1, ...members } as never);

describe('the answer to a question', () => {
  it.each<[string, Json, Json, Json]>([
    ['declined', FORM, { action: 'decline' }, { outcome: 'declined', answer: { action: 'decline' }, poor: 'declined' }],
    [
      'dismissed',
      FORM,
      { action: 'cancel' },
      { outcome: 'cancelled', answer: { action: 'cancel' }, poor: 'cancelled' },
    ],
    [
      'accepted',
      PLAIN,
      { action: 'accept', content: { name: 'Ada' } },
      { outcome: 'accepted', answer: { action: 'accept', content: { name: 'Ada' } } },
    ],
    [
      'accepted with a field left to its default',
      FORM,
      { action: 'accept', content: { name: 'Ada' } },
      { outcome: 'accepted', answer: { action: 'accept', content: { name: 'Ada', unit: 'km' } } },
    ],
    [
      'accepted without content',
      FORM,
      { action: 'accept' },
      { outcome: 'accepted', answer: { action: 'accept' }, poor: 'unusable' },
    ],
    [
      'accepted with content that is not as asked',
      FORM,
      { action: 'accept', content: { unit: 'm' } },
      {
        outcome: 'accepted',
        answer: { action: 'accept', content: { unit: 'm' } },
        invalid: [{ path: 'name', message: 'is required' }],
        poor: 'unusable',
      },
    ],
    [
      'accepted, of a page, whatever content comes with it',
      URL_MODE,
      { action: 'accept', content: { name: 'Ada' } },
      { outcome: 'accepted', answer: { action: 'accept' } },
    ],
    [
      'of no known shape',
      FORM,
      { action: 'agree' },
      { outcome: 'malformed', failed: { reason: 'malformed' }, poor: 'malformed' },
    ],
    ['of another kind', FORM, LISTED, { outcome: 'malformed', failed: { reason: 'malformed' }, poor: 'malformed' }],
    ['sampled', SAMPLING, SAMPLED, { outcome: 'answered', answer: SAMPLED }],
    [
      'sampled, with members of the other kinds',
      SAMPLING,
      { ...SAMPLED, ...LISTED, action: 'accept' },
      { outcome: 'answered', answer: SAMPLED },
    ],
    ['sampled, with roots beside', SAMPLING, { ...SAMPLED, ...LISTED }, { outcome: 'answered', answer: SAMPLED }],
    [
      'sampled, with an action beside',
      SAMPLING,
      { ...SAMPLED, action: 'accept' },
      { outcome: 'answered', answer: SAMPLED },
    ],
    ['listed', ROOTS, LISTED, { outcome: 'answered', answer: LISTED }],
    [
      'listed, with members of its own',
      ROOTS,
      { ...LISTED, more: 1 },
      { outcome: 'answered', answer: { ...LISTED, more: 1 } },
    ],
    ['listed, with an action beside', ROOTS, { ...LISTED, action: 'accept' }, { outcome: 'answered', answer: LISTED }],
  ])('that is %s', (_name, request, result, read_) => {
    expect(read(request, { result })).toStrictEqual(read_);
  });

  it.each<[Json, Json]>([
    [{ error: { code: -32601, message: 'no' } }, { reason: 'client-error', code: -32601 }],
    [{ error: { code: 1.5, message: 'no' } }, { reason: 'client-error' }],
    [{ error: { code: '-32601' } }, { reason: 'client-error' }],
    [{ error: null }, { reason: 'client-error' }],
    [
      { error: { code: 1, message: 'no' }, result: { action: 'accept', content: { name: 'Ada' } } },
      { reason: 'client-error', code: 1 },
    ],
  ])('that is an error is one, whatever else it is: %j', (members, failed) => {
    expect(read(FORM, members)).toStrictEqual({ outcome: 'client-error', failed, poor: 'failed' });
  });
});
