/** Puts a server's questions to the person at a terminal. */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { askForm } from './ask-form.ts';
import type { Terminal } from './terminal.ts';

// #region person
/** Answers `elicitation/create`. Questions of one round come at once: there is one keyboard, so each waits for its turn. */
export function createPerson(terminal: Terminal): (params: ElicitRequest['params']) => Promise<ElicitResult> {
  let turn: Promise<unknown> = Promise.resolve();
  return (params) => {
    const answered = turn.then(() => {
      return params.mode === 'url' ? askPage(params, terminal) : askForm(params, terminal);
    });
    turn = answered.catch(() => undefined);
    return answered;
  };
}
// #endregion person

/** A page is never opened by itself: the person sees the whole address first. */
async function askPage({ message, url }: { message: string; url: string }, terminal: Terminal): Promise<ElicitResult> {
  terminal.say(`\n${message}\n${url}`);
  const text = await terminal.ask('Do you open this page? (yes or no): ');
  if (text === undefined) return { action: 'cancel' };
  return { action: /^(y|yes)$/i.test(text) ? 'accept' : 'decline' };
}
