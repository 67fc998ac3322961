import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { endConnection, endServer } from '../../packages/shim/src/handshake/end-connection.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const LONGEST_CLOSE = 5_000;
const never = (): Promise<void> => new Promise(() => undefined);
const broken = (): never => {
  throw new Error('broken');
};

/** The end of a connection whose server and transport close as they say. */
function end(close: () => Promise<void>, closeTransport: () => Promise<void>) {
  const clock = new ManualClock();
  const steps: string[] = [];
  const server = new McpServer({ name: 'a', version: '1' });
  server.close = () => {
    steps.push('server');
    return close();
  };
  const transport = {
    close: () => {
      steps.push('transport');
      return closeTransport();
    },
  };
  const by = { clock, onError: ({ message }: Error) => void steps.push(message) };
  const ended = endConnection(server, transport, by).then(() => void steps.push('ended'));
  return { clock, steps, ended };
}

describe('the end of a connection', () => {
  it('is that of its server, and then of its transport', async () => {
    const { steps, ended, clock } = end(
      async () => undefined,
      async () => undefined,
    );
    await ended;
    expect(steps).toEqual(['server', 'transport', 'ended']);
    expect(clock.pending).toBe(0);
  });

  it.each<[string, () => Promise<void>]>([
    ['throws', broken],
    ['rejects', async () => broken()],
  ])('comes where closing the server %s, which is told', async (_how, close) => {
    const { steps, ended } = end(close, async () => broken());
    await ended;
    expect(steps).toEqual(['server', 'broken', 'transport', 'broken', 'ended']);
  });

  it('comes in time where neither ever closes', async () => {
    const { clock, steps } = end(never, never);
    await settle();
    await clock.advance(LONGEST_CLOSE - 1);
    expect(steps).toEqual(['server']);
    await clock.advance(1);
    await settle();
    expect(steps).toEqual(['server', 'transport']);
    await clock.advance(LONGEST_CLOSE);
    await settle();
    expect(steps).toEqual(['server', 'transport', 'ended']);
    expect(clock.pending).toBe(0);
  });

  it('may be that of its server alone', async () => {
    const server = new McpServer({ name: 'a', version: '1' });
    const errors: string[] = [];
    server.close = async () => broken();
    await endServer(server, { clock: new ManualClock(), onError: ({ message }) => void errors.push(message) });
    expect(errors).toEqual(['broken']);
  });
});
