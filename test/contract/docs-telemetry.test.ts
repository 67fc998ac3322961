import { DataPointType } from '@opentelemetry/sdk-metrics';
import { createHolds } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { observed } from '../otel/observed.ts';
import { ADA, ALL_CAPABILITIES, ask, form, url } from '../support/asks.ts';
import { METHODS } from '../support/matrix.ts';
import { scriptParams } from '../support/script-server.ts';
import { session } from '../support/session.ts';
import { read } from './quotes.ts';

const page = read('docs/telemetry.md');
/** The cells of the rows of a section whose first cell is code. */
const rowsOf = (heading: string): string[][] => {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
};
const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Plays a call of each method, and one that fails. */
async function playAll() {
  const holds = createHolds();
  const seen = observed({ holds });
  const options = { holds, telemetry: seen.telemetry };
  const { peer } = await session('memory', { capabilities: ALL_CAPABILITIES }, { options });
  for (const method of METHODS) {
    await peer.request(method, scriptParams(method, [ask({ who: form() })]));
    await peer.answer(await peer.next(), ADA);
    await peer.next();
  }
  await peer.request('tools/call', scriptParams('tools/call', [ask({ sign: url() })]));
  await peer.answerError(await peer.next(), -32603);
  await peer.next();
  return seen;
}

describe('docs/telemetry.md', () => {
  it('has a row for every metric and no other, with its unit, kind and attributes', async () => {
    const collected = await (await playAll()).collect();
    const exported = collected.map(({ descriptor, dataPointType, dataPoints }) => {
      const kinds: Partial<Record<DataPointType, string>> = {
        [DataPointType.GAUGE]: 'gauge',
        [DataPointType.SUM]: 'counter',
        [DataPointType.HISTOGRAM]: 'histogram',
      };
      const attributes = new Set(dataPoints.flatMap((point) => Object.keys(point.attributes)));
      return [descriptor.name, kinds[dataPointType], descriptor.unit, [...attributes].join()];
    });
    const rows = rowsOf('Metrics').map(([name, kind, unit, attributes]) => {
      return [codeIn(name).join(), kind, codeIn(unit).join(), codeIn(attributes).join()];
    });
    expect(rows.sort()).toEqual(exported.sort());
  });

  it('tells the buckets', async () => {
    const boundaries = /"boundaries":\[(.*?)\]/.exec(await (await playAll()).text())?.[1]?.split(',') ?? [];
    const last = boundaries.pop();
    expect(page).toContain(`end at ${boundaries.join(', ')} and ${last} seconds`);
  });

  it('has a row for every attribute of a span and no other', async () => {
    const { spans } = await playAll();
    const exported = new Set(spans.ended.flatMap(({ attributes }) => Object.keys(attributes)));
    const rows = rowsOf('Spans').flatMap(([names]) => codeIn(names));
    expect(rows.sort()).toEqual([...exported].sort());
  });

  it('has a row for every option', () => {
    const source = read('packages/shim/src/otel.ts');
    const body = /export interface OpenTelemetryOptions \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
    const options = [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
    expect(rowsOf('Switching it on').map(([name]) => codeIn(name).join())).toEqual(options);
  });
});
