import { setImmediate as turn } from 'node:timers/promises';
import { once } from 'mcp-dual-era';
import { elicit } from './questions.ts';
import type { Act } from './replay-session.ts';

/** A handler as data: what it does depends on nothing but the answers it gets. */
export type Step =
  | { readonly do: 'ask'; readonly what: string }
  | { readonly do: 'sample'; readonly what: string }
  | { readonly do: 'effect'; readonly key: string; readonly turns: number }
  | { readonly do: 'wait'; readonly turns: number }
  | { readonly do: 'branch'; readonly yes: readonly Step[]; readonly no: readonly Step[] }
  | { readonly do: 'loop'; readonly times: number; readonly body: readonly Step[] }
  | { readonly do: 'all'; readonly parts: readonly (readonly Step[])[] }
  | { readonly do: 'try'; readonly body: readonly Step[] };

export type Program = readonly Step[];

interface Run {
  readonly act: Act;
  /** Tells the questions of concurrent parts apart, so that no order of theirs decides who gets which answer. */
  readonly part: string;
  /** Everything that happened, in order: the result. */
  readonly log: string[];
  /** Whether the last answer was a yes. */
  isYes: boolean;
  /** How often each effect happened, over all runs. */
  readonly effects: Map<string, number>;
}

/** Runs `program`, and tells all that happened. */
export async function runProgram(program: Program, act: Act, effects: Map<string, number>): Promise<string> {
  const run: Run = { act, part: '', log: [], isYes: false, effects };
  await runSteps(program, run);
  return run.log.join(' ');
}

async function runSteps(steps: readonly Step[], run: Run): Promise<void> {
  for (const step of steps) await runStep(step, run);
}

async function runStep(step: Step, run: Run): Promise<void> {
  const { act, log, part } = run;
  switch (step.do) {
    case 'ask': {
      const { action, content } = await elicit(act, `${part}${step.what}`);
      run.isYes = action === 'accept';
      log.push(run.isYes ? String(content?.['text']) : action);
      return;
    }
    case 'sample': {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: `${part}${step.what}` } }];
      const { content } = await act.server.createMessage({ messages, maxTokens: 9 });
      log.push(content.type === 'text' ? content.text : content.type);
      return;
    }
    case 'effect':
      log.push(await once(act.extra, step.key, () => happen(step, run)));
      return;
    case 'wait':
      return wait(step.turns);
    case 'branch':
      return runSteps(run.isYes ? step.yes : step.no, run);
    case 'loop':
      for (let time = 0; time < step.times; time += 1) {
        log.push(`#${time}`);
        await runSteps(step.body, run);
        if (!run.isYes) return;
      }
      return;
    case 'all':
      return runParts(step.parts, run);
    default:
      try {
        await runSteps(step.body, run);
      } catch {
        log.push('caught');
      }
  }
}

async function happen({ key, turns }: { readonly key: string; readonly turns: number }, { effects }: Run) {
  const count = (effects.get(key) ?? 0) + 1;
  effects.set(key, count);
  await wait(turns);
  return `${key}${count}`;
}

async function wait(turns: number): Promise<void> {
  for (let left = turns; left > 0; left -= 1) await turn();
}

async function runParts(parts: readonly (readonly Step[])[], run: Run): Promise<void> {
  const runs = parts.map((_steps, index): Run => ({ ...run, part: `${run.part}${index}.`, log: [], isYes: false }));
  await Promise.all(parts.map((steps, index) => runSteps(steps, runs[index] as Run)));
  run.log.push(`[${runs.map(({ log }) => log.join(' ')).join(' | ')}]`);
}
