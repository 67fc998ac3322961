/**
 * A host that has time: it keeps what a server asks in a file, and answers from another process, whenever that is.
 *
 * `ask-later.ts call FILE TOOL ARGUMENTS TARGET...` calls a tool, and stores the ask if there is one.
 * `ask-later.ts answer FILE ANSWERS TARGET...` goes on where the file says; ANSWERS is JSON, one answer for each key.
 */
import { rm } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isInputRequiredResult } from 'mcp-dual-era';
import { callTool, connectDualEra, pendingAsk, type ReceivedAsk } from 'mcp-dual-era/client';
import { loadAsk, storeAsk } from './ask-file.ts';
import { printResult } from './print-result.ts';
import { targetFrom } from './target.ts';

async function connect(where: readonly string[]): Promise<Client> {
  // #region connect
  // What it declares is what it can be asked. Only a modern server's questions can wait: so no handshake.
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: 'patient-host', version: '1.0.0' }, { capabilities });
  await connectDualEra(client, targetFrom(where), { mode: 'modern', inputRequired: 'return' });
  // #endregion connect
  return client;
}

// #region return
/** The first half: what came back is the result of the tool, or an ask to keep. */
async function keepOrPrint(result: CallToolResult | ReceivedAsk, file: string): Promise<void> {
  if (!isInputRequiredResult(result)) {
    await rm(file, { force: true });
    return printResult(result);
  }
  const pending = pendingAsk(result);
  await storeAsk(file, pending);
  console.log(JSON.stringify(pending.inputRequests));
}
// #endregion return

const [command, file = '', ...others] = process.argv.slice(2);
if (command === 'call') {
  const [name = '', args = '{}', ...where] = others;
  const client = await connect(where);
  await keepOrPrint(await callTool(client, { name, arguments: JSON.parse(args) }), file);
  await client.close();
} else {
  const [answers = '{}', ...where] = others;
  const client = await connect(where);
  const inputResponses = JSON.parse(answers);
  // #region resume
  // The second half, in another process. The params are those that the server asked for, untouched, as is the state.
  const pending = await loadAsk(file);
  if (pending.method !== 'tools/call') throw new Error(`This host calls tools, and the file is of ${pending.method}`);
  const { params, requestState } = pending;
  const result = await callTool(client, { ...params, inputResponses, requestState });
  // #endregion resume
  await keepOrPrint(result, file);
  await client.close();
}
