/** What the processes of one server did, all together. */
import type { Habits, OwnEnd } from './habits.ts';
import type { Finding } from './model.ts';

export function processFindings({ ends }: Habits): Finding[] {
  const [afterAnswers, others] = [true, false].map((isAfter) => ends.filter((end) => end.isAfterAnswer === isAfter));
  const process: Omit<Finding, 'seen'> = {
    id: 'process',
    verdict: 'problem',
    cure: 'answer what cannot be done with an error, and go on until stdin ends',
    page: 'docs/doctor.md#process',
  };
  const stays: Omit<Finding, 'seen'> = {
    id: 'stays',
    verdict: 'problem',
    cure: 'go on until stdin ends: a client sends all its requests to one process',
    page: 'docs/doctor.md#stays',
  };
  return [...findingOf(others, process), ...findingOf(afterAnswers, stays)];
}

function findingOf(ends: readonly OwnEnd[] = [], finding: Omit<Finding, 'seen'>): Finding[] {
  const [first] = ends;
  if (first === undefined) return [];
  const after = first.isAfterAnswer ? ', after it had answered' : '';
  const more = ends.length === 1 ? '' : ` (so did ${ends.length - 1} more)`;
  return [{ ...finding, seen: `${first.how}${after}${more}` }];
}

export function stdioFindings({ noise, firstNoise = '', endsWithStdin }: Omit<Habits, 'ends'>): Finding[] {
  const stdout: Finding =
    noise === 0
      ? { id: 'stdout', verdict: 'ok', seen: 'stdout has nothing but messages' }
      : {
          id: 'stdout',
          verdict: 'problem',
          seen: `${noise === 1 ? 'a line' : `${noise} lines`} on stdout that are no messages, first: ${firstNoise}`,
          cure: 'log to stderr (console.error): clients take stdout for messages',
          page: 'docs/doctor.md#stdout',
        };
  if (endsWithStdin === undefined) return [stdout];
  const end: Finding = endsWithStdin
    ? { id: 'stdin-end', verdict: 'ok', seen: 'the process ends with its stdin' }
    : {
        id: 'stdin-end',
        verdict: 'problem',
        seen: 'the process goes on when its stdin has ended: it outlives its client',
        cure: 'end the process when stdin ends; serveStdio of mcp-dual-era/serve lets it',
        page: 'docs/doctor.md#stdin-end',
      };
  return [stdout, end];
}
