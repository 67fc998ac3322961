import fc, { type Arbitrary } from 'fast-check';
import type { AskKind } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import type { CheckedRequest } from '../../packages/shim/src/core/check-ask.ts';
import { expressRequest } from '../../packages/shim/src/core/express-request.ts';
import { hasKind, REVISIONS } from '../../packages/shim/src/core/revision.ts';
import type { Json } from '../support/json.ts';
import { form } from './arbitraries.ts';
import { checked, elicit, sample } from './checked-request.ts';
import { closedValidatorFor, validatorFor } from './spec-schemas.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const TEXT = { type: 'text', text: 'hi' };
const IMAGE = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const AUDIO = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' };

const TOOL_TURNS = [
  { role: 'assistant', content: [TEXT, { type: 'tool_use', id: '1', name: 'n', input: {} }] },
  { role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [TEXT] } },
];

describe('expressRequest', () => {
  const DEFINITIONS = {
    'elicitation/create': 'ElicitRequest',
    'sampling/createMessage': 'CreateMessageRequest',
    'roots/list': 'ListRootsRequest',
  };
  const text = fc.string({ minLength: 1, maxLength: 5 });
  const block = fc.constantFrom<Json>(TEXT, IMAGE, AUDIO);
  const content = fc.oneof(block, fc.array(block, { maxLength: 2 }));
  const role = fc.constantFrom('user', 'assistant');
  const samplingParams = fc.record(
    {
      messages: fc.array(fc.record({ role, content }), { maxLength: 3 }),
      maxTokens: fc.integer({ min: 1 }),
      modelPreferences: fc.constantFrom({}, { hints: [{ name: 'n' }], costPriority: 0.5 }),
      systemPrompt: text,
      includeContext: fc.constantFrom('none', 'thisServer', 'allServers'),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      stopSequences: fc.array(text),
      metadata: fc.constant({ a: 1 }),
      tools: fc.constantFrom([], [{ name: 'n', inputSchema: { type: 'object' } }]),
      toolChoice: fc.constantFrom({}, { mode: 'auto' }),
    },
    { requiredKeys: ['messages', 'maxTokens'] },
  );
  const requests: Record<AskKind, Arbitrary<CheckedRequest>> = {
    form: fc
      .record(
        { message: text, requestedSchema: form, note: text, mode: fc.constant('form') },
        { requiredKeys: ['message', 'requestedSchema'] },
      )
      .map((params) => elicit(params)),
    url: fc
      .record(
        { message: text, url: fc.webUrl({ validSchemes: ['https'] }), note: text },
        { requiredKeys: ['message', 'url'] },
      )
      // The id that the middleware puts where there is none.
      .map((params) => elicit({ ...params, mode: 'url', elicitationId: 'e' })),
    sampling: samplingParams.map(({ tools: _tools, toolChoice: _choice, ...params }) => sample(params)),
    'sampling.tools': fc
      .tuple(samplingParams, fc.constantFrom([], TOOL_TURNS))
      .map(([params, turns]) => sample({ tools: [], ...params, messages: [...params.messages, ...turns] })),
    roots: fc.constantFrom(checked('roots/list', undefined), checked('roots/list', { _meta: { a: 1 } })),
  };

  describe.each(Object.keys(requests) as AskKind[])('of %s', (kind) => {
    // The first revision is left out: its schema is not among those of test/spec.
    it.each(REVISIONS.slice(1))('says on %s what the schema of the specification has', (revision) => {
      const validators = new Map<string, ReturnType<typeof validatorFor>>();
      let said = 0;
      fc.assert(
        fc.property(requests[kind], (given) => {
          const before = JSON.stringify(given);
          const expressed = expressRequest(given, revision);
          expect(JSON.stringify(given)).toBe(before);
          if ('cannot' in expressed) return;
          said += 1;
          const validate = validators.get(given.method) ?? validatorFor(revision, DEFINITIONS[given.method]);
          validators.set(given.method, validate);
          const message = {
            jsonrpc: '2.0',
            id: 1,
            method: given.method,
            params: JSON.parse(JSON.stringify(expressed.params)),
          };
          validate(message);
          expect(validate.errors ?? []).toStrictEqual([]);
        }),
      );
      if (hasKind(revision, kind)) expect(said).toBeGreaterThan(10);
      else expect(said).toBe(0);
    });
  });

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
    'says on %s no word of a form that the revision lacks',
    (revision) => {
      const validate = closedValidatorFor(revision, 'ElicitRequest');
      let said = 0;
      fc.assert(
        fc.property(requests.form, (request) => {
          const expressed = expressRequest(request, revision);
          if ('cannot' in expressed) return;
          said += 1;
          validate({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: expressed.params });
          expect(validate.errors ?? []).toStrictEqual([]);
        }),
      );
      expect(said).toBeGreaterThan(10);
    },
  );

  it.each(['2025-11-25', '2026-07-28'])('can say every question on %s', (revision) => {
    fc.assert(
      fc.property(fc.oneof(...Object.values(requests)), (request) => {
        expect(expressRequest(request, revision)).toHaveProperty('params');
      }),
    );
  });
});
