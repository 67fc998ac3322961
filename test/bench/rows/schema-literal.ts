/** A handler that writes its form where it asks: SDK v1 compiles it at every call, and keeps what it compiled. */
import { type Contender, compare } from '../support/compare.ts';
import { type Figure, type Row, type Spread, spreadOf } from '../support/figure.ts';
import { Helper } from '../support/in-process.ts';
import type { Task } from '../support/literal-process.ts';

const LITERAL = new URL('../support/literal-process.ts', import.meta.url);
const WINDOWS = 5;

type Literal = Helper<Task, number>;

export const row: Row = async ({ isQuick }) => {
  const start = (name: string, form = 'short'): Promise<Literal> => Helper.start(LITERAL, [name, form]);
  const compareForms = async (form: string): Promise<Figure> => {
    const helpers: Literal[] = [];
    for (const name of ['shim', 'bare', 'bare', 'hoisted']) helpers.push(await start(name, form));
    const [shim, bare, bareAgain, hoisted] = helpers as [Literal, Literal, Literal, Literal];
    const figure = await compare(
      { name: `schema literal per call / bare with a literal, ${FORMS[form]}`, bound: 0.1 },
      {
        bare: timed('bare', bare),
        bareAgain: timed('bare again', bareAgain),
        shim: timed('shim', shim),
        // What it would come to if asking cost nothing but the compilation.
        others: [timed('bare, hoisted', hoisted)],
      },
      { turns: isQuick ? 10 : 40, warmUp: 5, slices: 2, calls: 40, attempts: 2 },
    );
    for (const helper of helpers) helper.stop();
    return figure;
  };
  const speed = [await compareForms('short'), await compareForms('long')];

  const [shim, bare, hoisted] = [await start('shim'), await start('bare'), await start('hoisted')];
  const calls = isQuick ? 5_000 : 10_000;
  const kept = {
    name: 'schema literal: bytes kept per round',
    unit: 'B' as const,
    bound: 0,
    shim: await growthOf(shim, calls),
    noise: await growthOf(hoisted, calls),
    others: [{ name: 'bare with a literal, B', spread: await growthOf(bare, calls / 10) }],
  };
  for (const helper of [shim, bare, hoisted]) helper.stop();
  return [...speed, kept];
};

const FORMS: Readonly<Record<string, string>> = { short: '3 fields', long: '11 fields, of every type' };

function timed(name: string, helper: Literal): Contender {
  const time = (calls: number, attempts: number): Promise<number> => helper.ask({ slice: calls, attempts });
  return { name, time, run: async (calls) => void (await time(calls, 1)) };
}

async function growthOf(helper: Literal, calls: number): Promise<Spread> {
  await helper.ask({ growth: calls });
  const series: number[] = [];
  for (let window = 0; window < WINDOWS; window += 1) series.push(await helper.ask({ growth: calls }));
  return spreadOf(series);
}
