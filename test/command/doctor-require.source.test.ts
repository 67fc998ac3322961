import { describe, expect, it } from 'vitest';
import { sdkLoader } from '../../packages/shim/src/command/doctor/sdk-clients.ts';
import { serveScript } from '../client/scripted-server.ts';
import { serveBoth } from './doctor-asking-server.ts';
import { diagnose } from './doctor-diagnose.ts';
import { SERVERS } from './doctor-processes.ts';

const HANDSHAKE = ['--', process.execPath, SERVERS.handshake];

describe('--require', () => {
  it.each([
    ['handshake', 0, 'warning', 'are not served: error -32601'],
    ['modern', 1, 'problem', 'are not served, which --require asks for: error -32601'],
    ['both', 1, 'problem', 'are not served, which --require asks for: error -32601'],
  ])('%s of a server of the handshake era ends with %i', async (era, status, verdict, seen) => {
    const { exitCode, finding, report } = await diagnose(HANDSHAKE, ['--require', era]);
    expect(exitCode).toBe(status);
    expect(finding('modern')).toMatchObject({ verdict, page: 'docs/serving.md' });
    expect(finding('modern')['seen']).toContain(seen);
    expect(report['findings'].filter((one: { verdict: string }) => one.verdict === 'problem')).toHaveLength(status);
    expect(Object.entries(report).slice(1, 3)).toEqual([
      ['exitStatus', status],
      ['require', era],
    ]);
  });

  it('handshake of a server of the modern era ends with 1', async () => {
    const { url } = await serveScript(({ method }) =>
      method === 'server/discover' || method === 'tools/list' ? undefined : { error: { code: -32601, message: 'No' } },
    );
    const { finding } = await diagnose([url.href], ['--require', 'handshake']);
    expect(finding('handshake')['verdict']).toBe('problem');
  });

  it('is not met by an era that nobody could look at', async () => {
    const { url } = await serveBoth();
    const v2 = () => Promise.reject(Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' }));
    const look = async (era: string) => diagnose([url], ['--require', era], { ...sdkLoader, v2 });
    const { exitCode, finding } = await look('modern');
    expect({ exitCode, verdict: finding('package')['verdict'] }).toEqual({ exitCode: 1, verdict: 'problem' });
    expect((await look('handshake')).exitCode).toBe(0);
  });

  it('leaves the status where nothing opens', async () => {
    const { exitCode, report } = await diagnose(['--', 'mcp-dual-era-no-such-command'], ['--require', 'both']);
    expect({ exitCode, require: report['require'] }).toEqual({ exitCode: 3, require: 'both' });
  });
});
