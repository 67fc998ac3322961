/**
 * Of the SDK's own example servers, those that ask. Left out: `elicitationUrlExample`, whose tools refuse to run without
 * a session, which stdio and the modern era do not have; and `simpleTaskInteractive`, whose tools refuse to run other than
 * as tasks, which the modern era does not have either.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import type { Json } from '../support/json.ts';
import type { SdkName } from '../support/sdk.ts';
import { type Answers, connect, type EraName } from './serving-clients.ts';

vi.setConfig({ testTimeout: 90_000 });

const SERVER = fileURLToPath(new URL('sdk-v1-example-server.ts', import.meta.url));
const accept = (content: Json): Json => ({ action: 'accept', content });

interface Call {
  readonly tool: string;
  readonly args?: Json;
  readonly answers: readonly Json[];
  readonly asked: readonly string[];
  readonly text: string | RegExp;
  /** Whether the handler takes the suspension for an answer, and goes on to a result. */
  readonly isSwallowing?: boolean;
}

const ADDRESS = { name: 'Ada', street: 'Main St 1', city: 'Springfield', state: 'IL', zipCode: '62701' };
const CALLS: Record<string, readonly Call[]> = {
  toolWithSampleServer: [
    {
      tool: 'summarize',
      args: { text: 'Long' },
      answers: [{ role: 'assistant', model: 'm', content: { type: 'text', text: 'Short' } }],
      asked: ['sampling'],
      text: 'Short',
    },
  ],
  elicitationFormExample: [
    {
      tool: 'register_user',
      answers: [accept({ username: 'ada', email: 'ada@example.com', password: '12345678', newsletter: true })],
      asked: ['Please provide your registration information:'],
      text: 'Registration successful!\n\nUsername: ada\nEmail: ada@example.com\nNewsletter: Yes',
    },
    {
      tool: 'register_user',
      answers: [accept({ username: 'ada', email: 'ada@example.com', password: 'short' })],
      asked: ['Please provide your registration information:'],
      text: /^Registration failed: .*does not match requested schema/,
    },
    {
      tool: 'create_event',
      answers: [accept({ title: 'Launch' }), accept({ date: '2026-12-01', startTime: '09:00', duration: 30 })],
      asked: ['Step 1: Enter basic event information', 'Step 2: Enter date and time'],
      text: /^Event created successfully!.*Launch.*2026-12-01.*30/s,
    },
    {
      tool: 'create_event',
      answers: [accept({ title: 'Launch' }), { action: 'cancel' }],
      asked: ['Step 1: Enter basic event information', 'Step 2: Enter date and time'],
      text: 'Event creation cancelled.',
    },
    {
      tool: 'update_shipping_address',
      answers: [accept(ADDRESS)],
      asked: ['Please provide your shipping address:'],
      text: /^Address updated successfully!.*Springfield/s,
    },
    {
      tool: 'update_shipping_address',
      answers: [{ action: 'decline' }],
      asked: ['Please provide your shipping address:'],
      text: 'Address update cancelled by user.',
    },
  ],
  simpleStreamableHttp: [
    {
      tool: 'collect-user-info',
      args: { infoType: 'preferences' },
      answers: [accept({ theme: 'dark' })],
      asked: ['Please set your preferences'],
      text: /^Thank you! Collected preferences information: .*dark/s,
      isSwallowing: true,
    },
    {
      tool: 'collect-user-info',
      args: { infoType: 'feedback' },
      answers: [{ action: 'decline' }],
      asked: ['Please provide your feedback'],
      text: 'No information was collected. User declined feedback information request.',
      isSwallowing: true,
    },
  ],
};

const CELLS = Object.keys(CALLS).flatMap((example) =>
  (['newest', 'oldest'] as const).map((sdk) => [example, sdk] as const),
);

describe.each(CELLS)("SDK v1's own %s, unmodified, on the %s SDK v1", (example, sdk) => {
  // The official v2 client is the modern one, pinned to its revision.
  it.each<EraName>(['modern', 'handshake'])('asks and ends as it says: %s', async (era) => {
    const answers: Json[] = [];
    const { client, takeEvents } = await open(era, { example, sdk }, answers);
    for (const { tool, args = {}, answers: given, asked, text, isSwallowing = false } of CALLS[example] ?? []) {
      answers.push(...given);
      const { content } = (await client.call(tool, args)) as Json;
      expect(content).toEqual([{ type: 'text', text: text instanceof RegExp ? expect.stringMatching(text) : text }]);
      expect(client.asked.splice(0)).toEqual(asked);
      const swallowed = { type: 'continued-after-suspend', method: 'tools/call', target: tool };
      expect(takeEvents()).toEqual(era === 'modern' && isSwallowing ? [swallowed] : []);
    }
    expect(answers).toEqual([]);
  });
});

async function open(era: EraName, { example, sdk }: { example: string; sdk: SdkName }, answers: Json[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-v1-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'events');
  writeFileSync(file, '');
  const takeEvents = (): Json[] => {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    writeFileSync(file, '');
    return lines.map((line) => JSON.parse(line) as Json);
  };
  const answer = (): Json => answers.shift() ?? { action: 'cancel' };
  const people: Answers = { elicit: answer, sample: answer };
  const args = [...nodeArgs(SERVER), sdk, example, file];
  const client = await connect(
    era,
    { command: process.execPath, args, env: process.env as Record<string, string> },
    people,
  );
  onTestFinished(() => client.close());
  return { client, takeEvents };
}
