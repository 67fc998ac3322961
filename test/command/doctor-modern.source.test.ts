import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  ask,
  COMPLETE,
  form,
  type Reply,
  said,
  sampling,
  serveScript,
  toolOf,
  toolsOf,
} from '../client/scripted-server.ts';
import type { Json } from '../support/json.ts';
import { diagnose } from './doctor-diagnose.ts';

const error = (code: number, more: Json = {}): Reply => ({ error: { code, message: 'No', ...more } });

/** What the scripted server answers to a call, and whatever else is not said. */
const server = (reply: Reply, others: Readonly<Record<string, Reply>> = {}) =>
  serveScript(({ method, params }) => {
    if (method in others) return others[method];
    if (method === 'tools/call') return params['name'] === 'ask' ? reply : error(-32602);
    if (method === 'prompts/list') return { result: { ...COMPLETE, ttlMs: 0, cacheScope: 'private', prompts: [] } };
    if (method === 'resources/list') return { result: { ...COMPLETE, ttlMs: 0, cacheScope: 'private', resources: [] } };
    const claim = params['_meta']?.['io.modelcontextprotocol/protocolVersion'];
    if (claim === '2099-01-01') return error(-32022, { data: { supported: ['2026-07-28'], requested: claim } });
    return method === 'server/discover' || method === 'tools/list' ? undefined : error(-32601);
  });

describe('a modern server that does little right', () => {
  it('is told what, and writes nothing on the console', async () => {
    const written = (['debug', 'info', 'log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
    onTestFinished(() => void vi.restoreAllMocks());
    const properties = { share: { type: 'number', 'x-mcp-header': 'Share' } };
    const { url } = await server(said('done'), {
      'tools/list': toolsOf(toolOf('ask'), toolOf('hidden', { type: 'object', properties })),
      'tools/call': said('whatever you say'),
      'resources/list': error(-32603),
      'mcp-dual-era-doctor-unknown/method': error(-32600),
    });
    const { verdicts, finding, exitCode } = await diagnose([url.href]);
    expect(exitCode).toBe(1);
    expect(verdicts).toMatchObject({
      handshake: 'warning',
      modern: 'ok',
      'broken-claim': 'problem',
      'unknown-method': 'warning',
      'unknown-tool': 'problem',
      declared: 'problem',
    });
    expect(finding('broken-claim')['seen']).toBe('a request that claims 2099-01-01 is answered with a result');
    expect(finding('unknown-method')['seen']).toBe('an unknown method is answered with error -32600');
    expect(finding('declared')['seen']).toContain(
      'tools: clients must leave out hidden, for its x-mcp-header; resources: ',
    );
    for (const spy of written) expect(spy).not.toHaveBeenCalled();
  });
});

describe('a call of a modern server', () => {
  it.each<[what: string, reply: Reply, all: object]>([
    ['a result', said('done'), { verdict: 'ok', outcome: 'result', seen: 'a result: done', questions: [] }],
    [
      'sampling, which only an error could refuse',
      ask({ idea: sampling() }, 'state'),
      { verdict: 'ok', outcome: 'refused', questions: [{ round: 1, kind: 'sampling', message: '', fields: [] }] },
    ],
    ['a question again and again', ask({ who: form() }, 'state'), { verdict: 'warning', outcome: 'rounds-exceeded' }],
    [
      'a claim that all is missing',
      error(-32021, { data: { requiredCapabilities: { elicitation: { form: {} }, sampling: {} } } }),
      { verdict: 'warning', outcome: 'unsupported', seen: 'refused: this client lacks elicitation.form, sampling' },
    ],
    ['a page first', error(-32042), { verdict: 'ok', outcome: 'url-required' }],
    [
      'a mistake in its question',
      error(-32603, { message: 'tools/call cannot ask: an ask needs at least one entry' }),
      { verdict: 'problem', page: 'docs/errors.md#-32603-toolscall-cannot-ask-' },
    ],
    ['an error', error(-32603), { verdict: 'warning', outcome: 'error', page: 'docs/doctor.md#call' }],
  ])('comes to %s', async (_what, reply, all) => {
    const { url, toldOf } = await server(reply);
    const { call } = await diagnose([url.href], ['--call', 'ask']);
    expect(call('modern', 'all')).toMatchObject(all);
    const answers = toldOf('tools/call').flatMap(({ params }) =>
      Object.values((params['inputResponses'] ?? {}) as Json),
    );
    expect(answers.filter(({ action }) => action !== 'decline')).toEqual([]);
  });
});
