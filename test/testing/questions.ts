import { type InputContext, inputRequired } from 'mcp-dual-era';
import type { Play } from './play-factory.ts';

export const NAME_FORM = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};

export const elicitName = (message = 'Your name?') => inputRequired.elicit({ message, requestedSchema: NAME_FORM });

/** Asks for a name once, under the key `who`, and says what came of it. */
export const askName: Play = ({ ctx }) => {
  if (ctx.round === 0) return inputRequired({ inputRequests: { who: elicitName() } });
  return greeting(ctx);
};

export function greeting(ctx: InputContext): string {
  const name = ctx.accepted('who')?.['name'];
  return name === undefined ? `Nobody: ${ctx.elicitResult('who')?.action}` : `Hello ${name}`;
}

/** What the text of a result is, whatever the method. */
export const textResult = (text: string) => ({ content: [{ type: 'text', text }] });
