/** A client on 2026-07-28 that asks the branch server to delete a branch, and says yes. */
// #region modern
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

// Unless it is told to look for the modern era, a client on SDK v2 opens with a handshake.
const client = new Client(
  { name: 'me', version: '1.0.0' },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
);
client.setRequestHandler('elicitation/create', async ({ params }) => {
  console.log(params.message);
  return { action: 'accept', content: { confirmed: true } };
});
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2] ?? 'http://127.0.0.1:3000/mcp')));
console.log(client.getNegotiatedProtocolVersion());
console.log(await client.callTool({ name: 'delete_branch', arguments: { branch: 'old' } }));
await client.close();
// #endregion modern
