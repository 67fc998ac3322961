import type { DualEraEvent } from 'mcp-dual-era';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const ERROR: DualEraEvent = { type: 'error', message: 'no question', method: 'tools/call', target: 'tool' };
const REFUSED = { ...ERROR, type: 'state-refused', message: 'expired' } as unknown as DualEraEvent;
const LATE: DualEraEvent = { type: 'late-answer' };

/** As in a process of its own, which has warned of nothing yet. */
async function freshEmit() {
  vi.resetModules();
  return import('../../packages/shim/src/handshake/emit.ts');
}

let emit: Awaited<ReturnType<typeof freshEmit>>;
let warnings: string[];
const warn = (message: string): void => void warnings.push(message);
beforeEach(async () => {
  emit = await freshEmit();
  warnings = [];
});

describe('without a hook', () => {
  it('an error is warned of, once in a process, and a refused state is too', () => {
    const emitter = emit.createEmitter(undefined, warn);
    expect(emitter.isHeard).toBe(false);
    for (const event of [LATE, ERROR, ERROR, REFUSED, LATE]) emitter.emit(event);
    emit.createEmitter(undefined, warn).emit(ERROR);
    expect(warnings).toEqual([
      'mcp-dual-era: tools/call tool: no question. Give onEvent to see every such error; this warning comes once.',
      'mcp-dual-era: tools/call tool: expired. Give onEvent to see every such refusal; this warning comes once.',
    ]);
  });

  it('listeners of the package hear every event, and the warnings come all the same', () => {
    const heard: string[] = [];
    const emitter = emit.createEmitter(undefined, warn, [({ type }) => void heard.push(type)]);
    expect(emitter.isHeard).toBe(true);
    for (const event of [LATE, ERROR]) emitter.emit(event);
    expect(heard).toEqual(['late-answer', 'error']);
    expect(warnings).toHaveLength(1);
  });
});

describe('with a hook', () => {
  it('it hears every event, after the listeners, and nothing is warned of', () => {
    const heard: string[] = [];
    const hook = ({ type }: DualEraEvent): void => void heard.push(`hook ${type}`);
    const listener = ({ type }: DualEraEvent): void => void heard.push(type);
    const plain = emit.createEmitter(hook, warn);
    const listened = emit.createEmitter(hook, warn, [listener]);
    expect([plain.isHeard, listened.isHeard]).toEqual([true, true]);
    for (const emitter of [plain, listened]) emitter.emit(ERROR);
    expect(heard).toEqual(['hook error', 'error', 'hook error']);
    expect(warnings).toEqual([]);
  });

  it('one that throws changes nothing', () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const heard: string[] = [];
    const emitter = emit.createEmitter(({ type }) => void heard.push(type), warn, [broken]);
    emitter.emit(LATE);
    emit.createEmitter(broken, warn).emit(LATE);
    expect(heard).toEqual(['late-answer']);
  });
});

it('what is warned of once is told by its matter, not by its message', () => {
  emit.warnOnce('one', 'first', warn);
  emit.warnOnce('one', 'second', warn);
  emit.warnOnce('two', 'third', warn);
  expect(warnings).toEqual(['first', 'third']);
});
