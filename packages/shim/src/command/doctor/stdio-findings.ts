/** What the processes of one server did, all together. */
import type { Finding } from './model.ts';
import type { Habits } from './stdio-link.ts';

export function processFindings({ ends }: Habits): Finding[] {
  const [first] = ends;
  if (first === undefined) return [];
  return [
    {
      id: 'process',
      verdict: 'problem',
      seen: `${first}${ends.length === 1 ? '' : ` (so did ${ends.length - 1} more)`}`,
      cure: 'answer what cannot be done with an error, and go on until stdin ends',
      page: 'docs/doctor.md#process',
    },
  ];
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
