/**
 * A host that asks the person at the keyboard: `ask-at-terminal.ts TOOL ARGUMENTS URL`, or `... TOOL ARGUMENTS COMMAND
 * [ARGUMENT...]`. ARGUMENTS is JSON. It calls the tool, and prints the result.
 */
// #region host
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectDualEra } from 'mcp-dual-era/client';
import { createPerson } from './ask-person.ts';
import { printResult } from './print-result.ts';
import { targetFrom } from './target.ts';
import { createTerminal } from './terminal.ts';

const [tool = '', args = '{}', ...where] = process.argv.slice(2);
const terminal = createTerminal();
const askPerson = createPerson(terminal);

const client = new Client(
  { name: 'terminal-host', version: '1.0.0' },
  { capabilities: { elicitation: { form: {}, url: {} } } },
);
// The handler that the client has for live questions meets those of modern servers too.
client.setRequestHandler(ElicitRequestSchema, ({ params }) => askPerson(params));

const { era } = await connectDualEra(client, targetFrom(where));
terminal.say(`Connected: ${era}`);
// The call lasts as long as the person thinks: SDK v1 would give it up after a minute.
const result = await client.callTool({ name: tool, arguments: JSON.parse(args) }, undefined, { timeout: 10 * 60_000 });
printResult(result);
await client.close();
terminal.close();
// #endregion host
