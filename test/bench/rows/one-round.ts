/** One question, asked and answered: one call after the other, and many at once. */
import { type Contender, compare, type Length, ratiosTo } from '../support/compare.ts';
import { type Figure, type Row, type Spread, spreadOf } from '../support/figure.ts';
import { inMemory } from '../support/in-memory.ts';
import { createServerV2, deployAskingV2, deployBareV2 } from '../support/official-v2.ts';
import { createServer, createShimmed, deployAsking, deployBare } from '../support/servers.ts';

export const row: Row = async ({ isQuick }) => {
  const measure = async (width: number): Promise<Figure> => {
    const length: Length = { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 16 };
    const figure = await compare(
      { name: `one round / bare, ${width} in flight`, bound: 1.3 },
      {
        bare: await inMemory('bare', createServer(deployBare), width),
        bareAgain: await inMemory('bare again', createServer(deployBare), width),
        shim: await inMemory('shim', createShimmed(deployAsking), width),
      },
      length,
    );
    const bareV2 = await inMemory('bare v2', createServerV2(deployBareV2), width);
    const shimV2 = await inMemory('shim v2', createServerV2(deployAskingV2), width);
    const v2 = { name: 'official v2: its shim / its own bare', spread: await ratioOf(bareV2, shimV2, length) };
    return { ...figure, others: [v2] };
  };
  return [await measure(1), await measure(16)];
};

async function ratioOf(bare: Contender, shim: Contender, length: Length): Promise<Spread> {
  const ratios = await ratiosTo([bare, shim], length);
  return ratios.get(shim.name) ?? spreadOf([]);
}
