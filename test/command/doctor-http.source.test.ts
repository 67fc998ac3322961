import { describe, expect, it } from 'vitest';
import { sdkLoader } from '../../packages/shim/src/command/doctor/sdk-clients.ts';
import { serveBoth } from './doctor-asking-server.ts';
import { diagnose } from './doctor-diagnose.ts';

const KINDS = ['none', 'form', 'url', 'all'];

describe('a server of mcp-dual-era/serve over HTTP', () => {
  it('is all right', async () => {
    const { url, sessions } = await serveBoth();
    const { exitCode, verdicts, clients, report } = await diagnose([url]);
    expect(verdicts).toEqual({
      handshake: 'ok',
      'initialize-revision': 'ok',
      sessions: 'ok',
      'json-response': 'ok',
      modern: 'ok',
      'broken-claim': 'ok',
      'unknown-method': 'ok',
      'unknown-tool': 'ok',
      host: 'ok',
      origin: 'ok',
      clients: 'ok',
      declared: 'ok',
      'same-lists': 'ok',
    });
    expect(exitCode).toBe(0);
    expect(clients('handshake')).toEqual([...KINDS.map((client) => `${client}: ok`), 'stateless: ok (refused)']);
    expect(clients('modern')).toEqual(KINDS.map((client) => `${client}: ok`));
    expect(report['clients'].map(({ revision }: { revision: string }) => revision)).toEqual([
      ...Array(4).fill('2025-11-25'),
      undefined,
      ...Array(4).fill('2026-07-28'),
    ]);
    expect(report['target']).toBe(url);
    // Nothing is left behind.
    expect(sessions()).toBe(0);
  });

  it('has a tool called once for each client that gets in, and never hears a yes', async () => {
    const log = { runs: 0, agreed: 0 };
    const { url } = await serveBoth(log);
    const { exitCode, call, verdicts } = await diagnose([url], ['--call', 'form']);
    expect({ exitCode, call: verdicts['call'] }).toEqual({ exitCode: 0, call: 'ok' });
    for (const era of ['handshake', 'modern']) {
      expect(call(era, 'none')).toMatchObject({
        questions: [],
        outcome: 'unsupported',
        seen: 'refused: this client lacks elicitation.form',
      });
      expect(call(era, 'all')).toMatchObject({
        questions: [{ round: 1, kind: 'form', message: 'Sure?', fields: ['sure'] }],
        outcome: 'result',
        seen: 'a result: not done',
      });
    }
    // On either era, two clients see one run and two see two.
    expect(log).toEqual({ runs: 12, agreed: 0 });
  });

  it.each([
    [
      'pay',
      {
        questions: [{ round: 1, kind: 'url', message: 'Pay here', origin: 'https://pay.example.com' }],
        outcome: 'result',
      },
      {
        questions: [{ round: 1, kind: 'url', message: 'Pay here', origin: 'https://pay.example.com' }],
        outcome: 'result',
      },
    ],
    [
      'think',
      { questions: [{ kind: 'sampling' }], verdict: 'ok', outcome: 'client-error' },
      { questions: [{ kind: 'sampling' }], verdict: 'ok', outcome: 'refused' },
    ],
    [
      'stubborn',
      { questions: [{ kind: 'form' }], verdict: 'warning', outcome: 'declined', page: 'docs/errors.md#declined' },
      {
        verdict: 'warning',
        outcome: 'rounds-exceeded',
        seen: 'the tool still asked in round 10, after as many refusals',
      },
    ],
    [
      'push',
      { questions: [{ kind: 'form' }], verdict: 'ok', seen: 'a result: decline' },
      { questions: [], verdict: 'problem', outcome: 'error', page: 'docs/existing-servers.md' },
    ],
    [
      'nobody',
      { questions: [], verdict: 'warning', outcome: 'error result' },
      { questions: [], verdict: 'warning', outcome: 'error' },
    ],
  ])('has the tool %s told of as it went', async (tool, handshake, modern) => {
    const log = { runs: 0, agreed: 0 };
    const { url } = await serveBoth(log);
    const { call, report } = await diagnose([url], ['--call', tool]);
    expect(call('handshake', 'all')).toMatchObject(handshake);
    expect(call('modern', 'all')).toMatchObject(modern);
    expect(log.agreed).toBe(0);
    expect(JSON.stringify(report)).not.toContain('private-token');
  });

  it('has a tool that never ends told of, after its time', async () => {
    const { url } = await serveBoth();
    const { exitCode, call, verdicts } = await diagnose([url], ['--call', 'silent', '--timeout', '400ms']);
    expect({ exitCode, call: verdicts['call'] }).toEqual({ exitCode: 1, call: 'problem' });
    const seen = 'no answer within 400 ms, and nothing was asked';
    expect(call('handshake', 'none')).toMatchObject({ outcome: 'timeout', seen });
    expect(call('modern', 'all')).toMatchObject({ outcome: 'timeout', seen });
  });

  it('is still looked at on one era where the client of the other is missing', async () => {
    const { url } = await serveBoth();
    const v2 = () => Promise.reject(Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' }));
    const { exitCode, finding, clients, verdicts } = await diagnose([url], [], { ...sdkLoader, v2 });
    expect(exitCode).toBe(0);
    expect(finding('package')).toMatchObject({
      verdict: 'warning',
      seen: 'the package @modelcontextprotocol/client is missing: npx -p mcp-dual-era -p @modelcontextprotocol/client mcp-dual-era doctor ...',
    });
    expect(clients('modern')).toEqual(KINDS.map((client) => `${client}: warning (not examined)`));
    expect(clients('handshake')).toContain('all: ok');
    expect(verdicts).toMatchObject({ modern: 'ok', 'broken-claim': 'ok' });
  });
});
