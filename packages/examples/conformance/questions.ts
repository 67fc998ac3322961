/** Questions that more than one tool asks. Made once: a handler that runs again asks with the same schema. */
import { field, form, inputRequired } from 'mcp-dual-era';

export const nameForm = form({ name: field.string() });

export const okForm = form({ ok: field.boolean() });

export const askName = inputRequired.elicit({ message: 'What is your name?', requestedSchema: nameForm });

export const askOk = inputRequired.elicit({ message: 'Please confirm.', requestedSchema: okForm });

export function askModel(text: string) {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });
}
