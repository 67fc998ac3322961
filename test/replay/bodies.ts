import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { once } from 'mcp-dual-era';
import { askText, elicit, textOfResult } from './questions.ts';
import type { Act, Body } from './replay-session.ts';

// Of the process: what a handler does is counted over all of its runs.
const counts: Record<string, number> = {};
const count = (name: string): number => {
  counts[name] = (counts[name] ?? 0) + 1;
  return counts[name];
};

let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});
let buried: () => void = () => undefined;
const burial = new Promise<void>((resolve) => {
  buried = resolve;
});

const MESSAGES = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum up' } }];

/** Two questions about `n`, one after the other. */
const two = async (act: Act) => `${act.n}: ${await askText(act, `${act.n}a`)} ${await askText(act, `${act.n}b`)}`;

/** Handlers as people write them, which run in a process of their own. */
export const BODIES: Readonly<Record<string, Body>> = {
  two,

  five: async (act) => {
    const said: string[] = [];
    for (let index = 1; index <= 5; index += 1) said.push(await askText(act, `Question ${index}?`));
    return said.join(' ');
  },

  three: async (act) => (await Promise.all([askText(act, 'a'), askText(act, 'b'), askText(act, 'c')])).join(' '),

  kinds: async (act) => {
    const { server } = act;
    const name = await askText(act, 'Name?');
    const url = {
      mode: 'url' as const,
      message: 'Sign in',
      url: 'https://x.test/',
      elicitationId: crypto.randomUUID(),
    };
    const { action } = await server.elicitInput(url);
    const { content } = await server.createMessage({ messages: MESSAGES, maxTokens: 50 });
    const { roots } = await server.listRoots();
    return [name, action, content.type === 'text' && content.text, roots[0]?.uri].join(' ');
  },

  counted: async (act) => {
    const before = count('before');
    const kept = await once(act.extra, 'kept', () => count('kept'));
    const said = await askText(act, 'a');
    const between = count('between');
    const said2 = await askText(act, 'b');
    return `${said}${said2} before ${before}, kept ${kept}, between ${between}, after ${count('after')}`;
  },

  folder: async (act) => {
    const folder = await mkdtemp(join(tmpdir(), 'replay-'));
    try {
      await askText(act, 'Publish?');
      return `${existsSync(folder)}`;
    } finally {
      await rm(folder, { recursive: true });
    }
  },

  swallow: async (act) => {
    const said = await askText(act, 'a').catch(() => 'nobody');
    await act.server.sendLoggingMessage({ level: 'error', data: `heard ${said}` });
    return said;
  },

  retry: (act) => askText(act, 'a').catch(() => askText(act, 'a')),

  /** Asks first, and waits for the answer when it has nothing else to do. */
  meanwhile: async (act) => {
    const asked = elicit(act, 'a');
    for (let turns = 0; turns < 5; turns += 1) await turn();
    return textOfResult(await asked);
  },

  /** Its first run goes on when the second one has been answered, and does all that a run can do. */
  zombie: async (act) => {
    const { extra, server } = act;
    try {
      await askText(act, 'a');
    } catch {
      await released;
      const progress = { progressToken: 'p', progress: 1 };
      await extra.sendNotification({ method: 'notifications/progress', params: progress }).catch(() => undefined);
      await server.sendLoggingMessage({ level: 'error', data: 'zombie' }).catch(() => undefined);
      // Whether a question of a run that is over ever settles is nobody's business here.
      void extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema).catch(() => undefined);
      void server.listRoots().catch(() => undefined);
      buried();
      return 'zombie';
    }
    release();
    await burial;
    for (let turns = 0; turns < 5; turns += 1) await turn();
    return 'alive';
  },

  /** A part of it asks when the run has long been suspended. */
  late: async (act) => {
    const later = async () => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      return askText(act, 'b');
    };
    return (await Promise.all([askText(act, 'a'), later()])).join(' ');
  },

  /** Asks again whatever happens. */
  stubborn: async (act) => {
    for (;;) {
      count('tried');
      const said = await askText(act, 'a').catch(() => undefined);
      if (said !== undefined) return said;
    }
  },

  /** How many timers the process has. */
  timers: async () => String(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length),

  /** Tells what it went through, and never asks. */
  counts: async () => JSON.stringify(counts),
};
