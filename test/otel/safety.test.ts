import { execFileSync } from 'node:child_process';
import type { Telemetry } from 'mcp-dual-era';
import { openTelemetry } from 'mcp-dual-era/otel';
import { describe, expect, it } from 'vitest';
import { expectNone, inEveryEncoding } from '../abuse/secrets.ts';
import { ADA, ALL_CAPABILITIES, ask, form, roots, SAMPLED, sampling, told, url } from '../support/asks.ts';
import { openHttpSession } from '../support/open-http.ts';
import { clockSession, play, session } from '../support/session.ts';
import { observed, outcomes } from './observed.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };

describe('[T3] what breaks in telemetry', () => {
  const fail = (): never => {
    throw new Error('broken');
  };
  const broken = {
    tracerProvider: { getTracer: () => ({ startSpan: fail, startActiveSpan: fail }) },
    propagator: { inject: fail, extract: fail, fields: () => [] },
  };

  it.each([
    ['every member', { onEvent: fail, onHold: fail, contextOf: fail } satisfies Telemetry],
    ['a tracer', openTelemetry({ tracerProvider: broken.tracerProvider })],
    ['a propagator', openTelemetry({ propagator: broken.propagator })],
    ['a hook that rejects', { onEvent: async () => fail(), onHold: fail, contextOf: fail } satisfies Telemetry],
  ])('never changes a call: %s', async (_what, telemetry) => {
    const { peer, clock } = await clockSession(CAPABLE, { options: { telemetry, roundTimeout: 5_000 } });
    await play(peer, [ask({ who: form() })]);
    const leg = await peer.next();
    expect(leg['params']._meta).toBeUndefined();
    await peer.answer(leg, ADA);
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
    await play(peer, [ask({ who: form() })]);
    await peer.next();
    await clock.advance(5_000);
    expect([await peer.next(), await peer.next()]).toEqual([
      expect.objectContaining({ method: 'notifications/cancelled' }),
      expect.objectContaining({ result: expect.objectContaining({ isError: true }) }),
    ]);
  });

  it('does not keep the spans from ending', async () => {
    const seen = observed();
    const { telemetry } = seen;
    const broken: Telemetry = {
      ...telemetry,
      onEvent: (event) => {
        telemetry.onEvent({
          ...event,
          get ms(): number {
            return fail();
          },
        } as never);
      },
    };
    const { peer } = await session('memory', CAPABLE, { options: { telemetry: broken } });
    await play(peer, [ask({ who: form() })]);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(outcomes(seen)).toEqual(['elicitation/create: accepted', 'tools/call script: answered']);
  });
});

describe('[T3] what is exported', () => {
  const SECRET = 'typed-by-a-person-and-for-nobody-else';
  const SUBJECT = 'subject-that-nobody-else-may-see';

  it('has no question, no answer, no state and no subject in it', async () => {
    const seen = observed();
    const { peer } = await openHttpSession('node', CAPABLE, {
      options: { telemetry: seen.telemetry, legs: 'concurrent', onFailedLeg: 'reenter' },
    });
    const question = form(SECRET, { type: 'object', properties: { name: { type: 'string', title: SECRET } } });
    const everything = { a: question, b: url(SECRET, `https://${SECRET}.test/`), c: sampling(SECRET), d: roots() };
    const answers: Record<string, unknown> = {
      'elicitation/create': { action: 'accept', content: { name: SECRET } },
      'sampling/createMessage': { ...SAMPLED, model: SECRET },
      'roots/list': { roots: [{ uri: `file:///${SECRET}` }] },
    };
    const caller = { 'x-test-caller': `app/${SUBJECT}` };
    const params = {
      name: 'script',
      arguments: { script: [ask(everything, { state: SECRET }), ask({ a: question })] },
    };
    await peer.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, caller);
    for (let leg = 0; leg < 4; leg += 1) {
      const asked = await peer.next();
      await peer.answer(asked, answers[asked['method']], caller);
    }
    const last = await peer.next();
    await peer.send({ jsonrpc: '2.0', id: last['id'], error: { code: 1, message: SECRET } }, caller);
    await peer.next();
    expect(outcomes(seen)).toHaveLength(6);
    const text = await seen.text();
    expect(text).toContain('gen_ai.tool.name');
    expect(text).toContain('mcp_dual_era.legs');
    expectNone(inEveryEncoding([SECRET, SUBJECT]), [text]);
  });

  it('has metrics whose attributes have few values, whatever is called', async () => {
    const seen = observed();
    const { peer } = await session('memory', CAPABLE, { options: { telemetry: seen.telemetry } });
    for (const key of ['one', 'two', 'three']) {
      await play(peer, [ask({ [key]: form() })]);
      await peer.answer(await peer.next(), ADA);
      await peer.next();
    }
    const series = Object.entries(await seen.metrics()).map(([name, points]) => [name, Object.keys(points)]);
    expect(Object.fromEntries(series)).toEqual({
      'mcp_dual_era.rounds': [''],
      'mcp_dual_era.legs': ['form,accepted'],
      'mcp_dual_era.holds': ['answered'],
      'mcp_dual_era.answer.duration': ['answered'],
      'mcp_dual_era.hold.duration': ['answered'],
    });
  });
});

describe('[T3] without the entry', () => {
  const load = (entry: string): string => {
    const conditions = process.env['TARGET'] === 'dist' ? [] : ['--conditions=@dual-era/source'];
    const script = `
      import { createRequire } from 'node:module';
      await import('${entry}');
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(loaded.some((file) => file.includes('@opentelemetry')));`;
    const args = [...conditions, '--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script];
    return execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  };

  it.each(['mcp-dual-era', 'mcp-dual-era/serve', 'mcp-dual-era/client'])('%s loads nothing of it', (entry) => {
    expect(load(entry)).toBe('false');
  });

  it('which does load it', () => {
    expect(load('mcp-dual-era/otel')).toBe('true');
  });
});
