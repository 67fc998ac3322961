/** Prints what came of every step; of one that went wrong, what should have. */
import { inspect } from 'node:util';
import { describeResult } from './describe-message.ts';
import type { Outcome } from './exchange.ts';
import { paint } from './paint.ts';

export function printReport(outcomes: readonly Outcome[]): void {
  console.log(`\n${paint('bold', 'Results')}`);
  const width = Math.max(...outcomes.map(({ title }) => title.length));
  for (const { title, step, result, questions, isAsExpected } of outcomes) {
    if (isAsExpected) {
      const said = describeResult(step.method, result).replaceAll('\n', ' / ');
      console.log(`  ${paint('green', '✓')} ${title.padEnd(width)}  ${said}`);
    } else {
      console.log(`  ${paint('red', '✗')} ${title}`);
      console.log(`      expected  ${show(step.result)} after ${show(step.questions)}`);
      console.log(`      got       ${show(result)} after ${show(questions)}`);
    }
  }
}

function show(value: unknown): string {
  if (value instanceof Error) return String(value);
  return inspect(value, { depth: null, compact: true, breakLength: Number.POSITIVE_INFINITY });
}
