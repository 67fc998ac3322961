import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../support/json.ts';
import type { Act, Person } from './replay-session.ts';

/** The form of every question that is about its text alone. */
export const TEXT_FORM = {
  type: 'object' as const,
  properties: { text: { type: 'string' as const } },
  required: ['text'],
};

/** An embedded form with `message`, as it travels. */
export const formOf = (message: string): Json => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: TEXT_FORM },
});

export const accepted = (text: string): Json => ({ action: 'accept', content: { text } });
export const DECLINED: Json = { action: 'decline' };

/** Asks in mid-body, as SDK v1 has it. */
export const elicit = ({ server }: Pick<Act, 'server'>, message: string): Promise<ElicitResult> =>
  server.elicitInput({ mode: 'form', message, requestedSchema: TEXT_FORM });

/** The same, and what became of it: the text, or the action. */
export async function askText(act: Pick<Act, 'server'>, message: string): Promise<string> {
  return textOfResult(await elicit(act, message));
}

export function textOfResult({ action, content }: ElicitResult): string {
  return action === 'accept' ? String(content?.['text']) : action;
}

/** Answers every form with the answer to its message. */
export function answering(answers: Readonly<Record<string, string | Json>>): Person {
  return ({ params }) => {
    const answer = answers[params.message as string];
    return typeof answer === 'string' ? accepted(answer) : answer;
  };
}

/** Answers every form with its own message, in capitals. */
export const shouting: Person = ({ params }) => accepted(String(params.message).toUpperCase());
