/** A report for programs: all that was seen, as one object. */
import type { Report } from './model.ts';

export function reportJson({ target, rows, findings, ...given }: Report, exitStatus: number): string {
  const clients = rows.map(({ lists: { tools, prompts, resources }, definitions: _definitions, ...row }) => ({
    ...row,
    tools: tools ?? null,
    prompts: prompts ?? null,
    resources: resources ?? null,
  }));
  return `${JSON.stringify({ target, exitStatus, ...given, clients, findings }, null, 2)}\n`;
}
