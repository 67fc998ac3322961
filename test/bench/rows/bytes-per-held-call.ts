/** What a call takes while its question is out. */
import { type Row, spreadOf } from '../support/figure.ts';
import { inProcess } from '../support/in-process.ts';

const HOLDER = new URL('../support/held-bytes.ts', import.meta.url);

interface Report {
  readonly perCall: number;
  readonly leftPerCall: number;
}

export const row: Row = async ({ isQuick }) => {
  const hold = (contender: string): Promise<Report> => inProcess(HOLDER, [contender, isQuick ? '2000' : '10000']);
  const series: { bare: Report; again: Report; shim: Report }[] = [];
  for (let turn = 0; turn < (isQuick ? 1 : 3); turn += 1) {
    series.push({ bare: await hold('bare'), again: await hold('bare'), shim: await hold('shim') });
  }
  return [
    {
      name: 'bytes per held call, 10 000 held in memory / bare',
      unit: 'ratio',
      bound: 1,
      shim: spreadOf(series.map(({ bare, shim }) => shim.perCall / bare.perCall)),
      noise: spreadOf(series.map(({ bare, again }) => again.perCall / bare.perCall)),
      others: [
        { name: 'bare, B per call', spread: spreadOf(series.map(({ bare }) => bare.perCall)) },
        { name: 'shim, B per call', spread: spreadOf(series.map(({ shim }) => shim.perCall)) },
        { name: 'bare, B left per released call', spread: spreadOf(series.map(({ bare }) => bare.leftPerCall)) },
        { name: 'shim, B left per released call', spread: spreadOf(series.map(({ shim }) => shim.leftPerCall)) },
      ],
    },
  ];
};
