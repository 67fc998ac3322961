/** Three questions in one round. Bare asks in the same order: one after the other, or all at once. */
import { inputContext, inputRequired } from 'mcp-dual-era';
import { compare } from '../support/compare.ts';
import { deployed, FORM, question } from '../support/deploy.ts';
import type { Figure, Row } from '../support/figure.ts';
import { inMemory } from '../support/in-memory.ts';
import { contentOf, createServer, createShimmed, type Deploy, type Extra } from '../support/servers.ts';

const KEYS = ['first', 'second', 'third'] as const;

type Server = Parameters<Deploy>[2];

async function askBare(service: string, extra: Extra, { server }: Server): Promise<unknown> {
  const params = { mode: 'form' as const, message: question(service), requestedSchema: FORM };
  return contentOf(await server.elicitInput(params, { signal: extra.signal }));
}

const bareInSequence: Deploy = async (service, extra, server) => {
  const answers: unknown[] = [];
  for (const _key of KEYS) answers.push(await askBare(service, extra, server));
  return lastOf(service, answers);
};

const bareAtOnce: Deploy = async (service, extra, server) =>
  lastOf(service, await Promise.all(KEYS.map(() => askBare(service, extra, server))));

const asking: Deploy = (service, extra) => {
  const context = inputContext(extra);
  const answers = KEYS.map((key) => context.accepted(key)).filter((content) => content !== undefined);
  if (answers.length > 0) return lastOf(service, answers);
  const ask = inputRequired.elicit({ message: question(service), requestedSchema: FORM });
  return inputRequired({ inputRequests: Object.fromEntries(KEYS.map((key) => [key, ask])) });
};

function lastOf(service: string, answers: readonly unknown[]) {
  if (answers.length !== KEYS.length) throw new Error(`${answers.length} answers came`);
  return deployed(service, answers.at(-1));
}

export const row: Row = async ({ isQuick }) => {
  const measure = async (legs: 'sequential' | 'concurrent', bare: Deploy, like: string): Promise<Figure> =>
    compare(
      { name: `three asks in one round, legs ${legs} / three bare ${like}, per ask`, bound: 1.15 },
      {
        bare: await inMemory('bare', createServer(bare)),
        bareAgain: await inMemory('bare again', createServer(bare)),
        shim: await inMemory('shim', createShimmed(asking, { legs })),
      },
      { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 8 },
    );
  return [
    await measure('sequential', bareInSequence, 'in sequence'),
    await measure('concurrent', bareAtOnce, 'at once'),
  ];
};
