/** Puts the fields of a form to a person, one after the other. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { type FormField, hintOf, type Value } from './form-field.ts';
import { readEntry } from './read-entry.ts';
import type { Terminal } from './terminal.ts';

type Form = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;

// #region form
/** The person's answer: nothing that they refused, or did not get to, comes out as an accepted form. */
export async function askForm({ message, requestedSchema }: Form, terminal: Terminal): Promise<ElicitResult> {
  terminal.say(`\n${message}`);
  terminal.say('(/decline says no, /cancel leaves it open)');
  const { properties, required = [] } = requestedSchema;
  const content: [name: string, value: Value][] = [];
  for (const [name, field] of Object.entries(properties as unknown as Record<string, FormField>)) {
    const answer = await askField(field, { label: field.title ?? name, isRequired: required.includes(name), terminal });
    if (answer === 'decline' || answer === 'cancel') return { action: answer };
    if (answer !== undefined) content.push([name, answer.value]);
  }
  return { action: 'accept', content: Object.fromEntries(content) };
}
// #endregion form

interface Question {
  readonly label: string;
  readonly isRequired: boolean;
  readonly terminal: Terminal;
}

/** A value, nothing for a field that is left out, or the end of the form. A wrong entry is told, and asked for again. */
async function askField(field: FormField, { label, isRequired, terminal }: Question) {
  if (field.description !== undefined) terminal.say(field.description);
  for (;;) {
    const text = await terminal.ask(`${label} (${hintOf(field)})${afterwords(field, isRequired)}: `);
    if (text === undefined || text === '/cancel') return 'cancel';
    if (text === '/decline') return 'decline';
    if (text === '' && field.default !== undefined) return { value: field.default };
    if (text === '' && !isRequired) return undefined;
    // Nothing typed where something is needed.
    if (text === '') return 'decline';
    const entry = readEntry(field, text);
    if ('value' in entry) return entry;
    terminal.say(entry.wrong);
  }
}

function afterwords({ default: value }: FormField, isRequired: boolean): string {
  if (value !== undefined) return ` [${value}]`;
  return isRequired ? '' : ' [leave out]';
}
