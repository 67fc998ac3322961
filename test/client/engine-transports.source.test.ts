import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EngineHttpTransport } from '../../packages/shim/src/host/engine-transports.ts';
import { calls, openStream, type Script, said, serveScript } from './scripted-server.ts';

const DISCOVERED = { capabilities: { tools: { listChanged: true } } };
const CALL = { method: 'tools/call', params: { name: 'ask' } } as const;

/** An engine that is connected to a server of `script`, and what it reports. */
async function engineTo(script: Script) {
  const server = await serveScript(script, DISCOVERED);
  const transport = new EngineHttpTransport(server.url, {});
  const engine = new Client({ name: 'engine', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const errors: string[] = [];
  engine.onerror = ({ message }) => void errors.push(message);
  await engine.connect(transport);
  onTestFinished(() => engine.close());
  return { engine, transport, server, errors };
}

describe('a request over HTTP to a modern server is waited for', () => {
  it('until it is answered', async () => {
    const { engine, transport } = await engineTo(calls(said('done')));
    const answered = engine.request(CALL);
    expect(transport.unanswered).toBe(1);
    await answered;
    expect(transport.unanswered).toBe(0);
  });

  it('until it is aborted, before its response begins', async () => {
    const abort = new AbortController();
    const { engine, transport, server } = await engineTo(() => undefined);
    const answered = engine.request(CALL, { signal: abort.signal });
    await vi.waitFor(() => expect(server.toldOf('tools/call')).toHaveLength(1));
    abort.abort(new Error('Enough'));
    await expect(answered).rejects.toThrow('Enough');
    expect(transport.unanswered).toBe(0);
  });

  it('until it is aborted, in the midst of its response', async () => {
    const abort = new AbortController();
    const { engine, transport } = await engineTo(({ method, params }, response) => {
      if (method !== 'tools/call') return undefined;
      const { progressToken } = params['_meta'];
      openStream(response)({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      return undefined;
    });
    const onprogress = (): void => abort.abort(new Error('Enough'));
    await expect(engine.request(CALL, { signal: abort.signal, onprogress })).rejects.toThrow('Enough');
    expect(transport.unanswered).toBe(0);
  });

  it('until its POST is refused', async () => {
    const { engine, transport } = await engineTo(({ method }) =>
      method === 'tools/call' ? { status: 503, raw: 'deploying' } : undefined,
    );
    await expect(engine.request(CALL)).rejects.toThrow('deploying');
    expect(transport.unanswered).toBe(0);
  });

  it('until its stream ends without the answer', async () => {
    const { engine, transport } = await engineTo(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      openStream(response);
      response.end();
      return undefined;
    });
    await expect(engine.request(CALL)).rejects.toThrow('The connection ended before the server had answered');
    expect(transport.unanswered).toBe(0);
  });
});

describe('a listener over HTTP', () => {
  const acknowledge: Script = ({ method, id, params }, response, count) => {
    if (method !== 'subscriptions/listen') return undefined;
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    openStream(response)({ method: 'notifications/subscriptions/acknowledged', params: { ...params, _meta } });
    if (count === 0) response.end();
    return undefined;
  };

  it('whose stream breaks off ends, and onerror hears of no answer', async () => {
    const { engine, errors } = await engineTo(acknowledge);
    const subscription = await engine.listen({ toolsListChanged: true });
    expect(await subscription.closed).toBe('remote');
    await engine.listen({ toolsListChanged: true });
    expect(errors).toEqual([]);
  });

  it('is no request that is to be answered', async () => {
    const { engine, transport } = await engineTo(acknowledge);
    const subscription = await engine.listen({ toolsListChanged: true });
    expect(transport.unanswered).toBe(0);
    await subscription.close();
    expect(transport.unanswered).toBe(0);
  });
});
