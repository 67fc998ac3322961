/** One question, asked and answered. */
import { type Contender, compare, type Length, ratiosTo } from '../support/compare.ts';
import type { Row, Spread } from '../support/figure.ts';
import { spreadOf } from '../support/figure.ts';
import { inMemory } from '../support/in-memory.ts';
import { createServerV2, deployAskingV2, deployBareV2 } from '../support/official-v2.ts';
import { createServer, createShimmed, deployAsking, deployBare } from '../support/servers.ts';

export const row: Row = async ({ isQuick }) => {
  const length: Length = { turns: isQuick ? 60 : 400, warmUp: 40, calls: 100 };
  const figure = await compare(
    { name: 'one round / bare', bound: 1.3 },
    {
      bare: await inMemory('bare', createServer(deployBare)),
      bareAgain: await inMemory('bare again', createServer(deployBare)),
      shim: await inMemory('shim', createShimmed(deployAsking)),
    },
    length,
  );
  const bareV2 = await inMemory('bare v2', createServerV2(deployBareV2));
  const shimV2 = await inMemory('shim v2', createServerV2(deployAskingV2));
  const v2 = { name: 'official v2: its shim / its own bare', spread: await ratioOf(bareV2, shimV2, length) };
  return [{ ...figure, others: [v2] }];
};

async function ratioOf(bare: Contender, shim: Contender, length: Length): Promise<Spread> {
  const ratios = await ratiosTo([bare, shim], { ...length, turns: length.turns / 2 });
  return ratios.get(shim.name) ?? spreadOf([]);
}
