/** Slots against the share of refused or delayed calls, as an SVG. The one user of echarts, which is loaded for it alone. */
import { writeFileSync } from 'node:fs';
import { describeValue } from '../core/json.ts';
import { type PoolMeasure, poolShares } from '../core/sizing/erlang.ts';
import type { PoolSize, PoolTarget } from '../core/sizing/size-worker-pool.ts';
import { FlagError } from './flag-error.ts';
import { codeOf } from './metrics-file.ts';
import { measuredShare, percent, significant } from './size-table.ts';

const [WIDTH, HEIGHT] = [720, 420];
/** Below it the scale runs out of numbers. */
const SMALLEST_SHARE = 1e-100;
const INK = '#333333';
const CURVE = '#1f5fa8';
const MARK = '#b3261e';

type Point = readonly [slots: number, share: number];

/** @throws FlagError when echarts is not there, or the file cannot be written. */
export async function plotSize(target: PoolTarget, size: PoolSize, path: string): Promise<void> {
  const svg = await drawSize(size, 'refused' in target ? target.refused : target.delayed);
  try {
    writeFileSync(path, svg);
  } catch (cause) {
    throw new FlagError(`--plot must be a file that can be written, got ${describeValue(path)} (${codeOf(cause)})`, {
      cause,
    });
  }
}

async function drawSize(size: PoolSize, target: number): Promise<string> {
  const [measure, share] = measuredShare(size);
  const smallest = Math.min(share, target);
  if (smallest < SMALLEST_SHARE) {
    throw new FlagError(`--plot must have shares of ${SMALLEST_SHARE} or more to draw, got ${significant(smallest)}`);
  }
  const points = pointsAround(size, measure, target);
  const [first, last] = [points[0]?.[0] ?? size.slots, points.at(-1)?.[0] ?? size.slots];
  const { init } = await import('echarts').catch(missing);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: '#ffffff',
      textStyle: { fontFamily: 'sans-serif', color: INK },
      title: {
        text: `Slots for ${significant(size.offeredLoad)} calls held at once on average`,
        left: 'center',
        textStyle: { fontSize: 15, color: INK },
      },
      grid: { left: 80, right: 40, top: 60, bottom: 60 },
      xAxis: {
        type: 'value',
        name: 'slots',
        nameLocation: 'middle',
        nameGap: 32,
        min: first - 1,
        max: last + 1,
        minInterval: 1,
        splitLine: { show: false },
        // Of many, the ends are no round numbers, and too close to those that are.
        axisLabel: points.length > 10 ? { showMinLabel: false, showMaxLabel: false } : {},
      },
      yAxis: {
        type: 'log',
        // The target too where the curve begins below it, and not at the very edge.
        max: 10 ** Math.ceil(Math.log10(Math.max(1.1 * target, points[0]?.[1] ?? 0))),
        name: `calls ${measure}`,
        nameLocation: 'middle',
        nameGap: 56,
        axisLabel: { formatter: percent },
      },
      series: [
        {
          type: 'line',
          data: points,
          silent: true,
          showSymbol: false,
          lineStyle: { color: CURVE, width: 2 },
          markLine: {
            silent: true,
            symbol: 'none',
            lineStyle: { color: MARK, type: 'dashed' },
            label: { color: MARK, position: 'insideEndTop', formatter: `target ${percent(target)}` },
            data: [{ yAxis: target }, { xAxis: size.slots, label: { show: false } }],
          },
          markPoint: {
            silent: true,
            symbol: 'circle',
            symbolSize: 9,
            itemStyle: { color: MARK },
            // Below the curve, or above it where there is no room on the left.
            label: {
              color: MARK,
              fontWeight: 'bold',
              ...(3 * (size.slots - first) < last - first
                ? { position: 'right', offset: [0, -14] }
                : { position: 'left', offset: [0, 14] }),
              formatter: `${size.slots} ${size.slots === 1 ? 'slot' : 'slots'}: ${percent(share)}`,
            },
            data: [{ coord: [size.slots, share] }],
          },
        },
      ],
    });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** From where twenty times as many calls meet that end, to where a hundredth as many do. */
function pointsAround({ slots: chosen, offeredLoad }: PoolSize, measure: PoolMeasure, target: number): Point[] {
  const points: Point[] = [];
  const shares = poolShares(offeredLoad, measure);
  for (let slots = 1; ; slots += 1) {
    const share = shares.next().value;
    if (slots > chosen + 1 && share < target / 100) return points;
    if (share <= Math.min(20 * target, 0.9)) points.push([slots, share]);
  }
}

function missing(cause: unknown): never {
  throw new FlagError('--plot must find the package echarts, 5.5 or later: npm install --save-dev echarts, got none', {
    cause,
  });
}
