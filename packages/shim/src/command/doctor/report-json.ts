/** A report for programs: all that was seen, as one object. */
import type { Report } from './model.ts';

export function reportJson({ target, rows, findings, call }: Report, exitStatus: number): string {
  const clients = rows.map(({ lists: { tools, prompts, resources }, definitions: _definitions, ...row }) => ({
    ...row,
    tools: tools ?? null,
    prompts: prompts ?? null,
    resources: resources ?? null,
  }));
  return `${JSON.stringify({ target, exitStatus, ...(call === undefined ? {} : { call }), clients, findings }, null, 2)}\n`;
}
