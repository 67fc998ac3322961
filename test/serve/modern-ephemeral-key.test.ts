import { createMcpHandler, type HttpServeOptions } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { scriptParams } from '../support/script-server.ts';
import { factoryOf } from './modern-factories.ts';
import { modern, retryOf } from './modern-message.ts';
import { serveModern, spawnModern } from './modern-session.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const capabilities = { elicitation: {} };
const play = () =>
  modern('tools/call', scriptParams('tools/call', [ask({ q: form() }, { step: 1 })]), { capabilities });
const start = (options: HttpServeOptions) =>
  createMcpHandler(
    factoryOf({ factory: 'asking' }, () => undefined),
    options,
  );

describe('[F40] serving over HTTP without a key', () => {
  it('starts on loopback, and warns once, when it first seals', async () => {
    const warnings: string[] = [];
    const ports = { warn: (message: string) => void warnings.push(message) };
    const script = { options: { ports } };
    const served = await serveModern({ factory: 'script', script });
    await served.tell(modern('tools/list'));
    expect(warnings).toEqual([]);
    for (let time = 0; time < 2; time += 1) await served.tell(play());
    expect(warnings).toEqual([expect.stringMatching(/ephemeral key.*inputRequired\.requestState\.keys/)]);
    await served.close();
  });

  it('does not start where other machines reach it, and says what to do', () => {
    expect(() => start({ allowedHosts: ['localhost', 'mcp.example.com'] })).toThrow(
      expect.objectContaining({
        code: 'EPHEMERAL_KEY',
        message: expect.stringMatching(/"mcp\.example\.com".*requestState\.keys.*allowEphemeralKey: true/),
      }),
    );
  });

  it.each([
    ['with a key', { inputRequired: { requestState: { keys: KEY } } }],
    ['when it is allowed', { allowEphemeralKey: true }],
    ['for handshake clients alone', { eras: 'handshake' as const }],
  ])('starts there %s', async (_name, options) => {
    const handler = start({ allowedHosts: ['mcp.example.com'], ...options });
    await handler.close();
  });

  it('starts for loopback names that are given', async () => {
    await start({ allowedHosts: ['localhost', '127.0.0.1'] }).close();
  });
});

describe('[F40] a state that another process sealed with its ephemeral key', () => {
  it('is refused, and the event says why and what to do', async () => {
    const other = spawnModern({ factory: 'script' });
    const request = play();
    const { answer } = await other.tell(request);
    await other.close();
    const served = await serveModern({ factory: 'script' });
    const refused = await served.tell(retryOf(request, answer, { q: ADA }));
    expect(refused.answer['error']).toStrictEqual({
      code: -32602,
      message: 'Invalid or expired requestState',
      data: { reason: 'invalid_request_state' },
    });
    expect(served.reports.all).toEqual([
      {
        event: {
          type: 'state-refused',
          cause: 'other-ephemeral-key',
          message: expect.stringContaining('requestState.keys'),
          method: 'tools/call',
          target: 'script',
        },
      },
    ]);
    await served.close();
  });
});
