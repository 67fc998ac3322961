/** Servers with an SDK v1 client in the same process, whose person answers at once. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Contender, inFlight, oneByOne } from './compare.ts';
import { ANSWER, assertDeployed } from './deploy.ts';

/** A client that answers each form with `ANSWER`. */
export function createClient(): Client {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { ...ANSWER } }));
  return client;
}

/** Calls the tool once, and checks the result. */
export async function callDeploy(client: Client): Promise<void> {
  assertDeployed(await client.callTool({ name: 'deploy', arguments: { service: 'api' } }), 'api');
}

/** A contender: `width` calls at a time, over a connection of its own. */
export async function inMemory(
  name: string,
  server: { connect(transport: Transport): Promise<void> },
  width = 1,
): Promise<Contender> {
  const client = createClient();
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const call = (): Promise<void> => callDeploy(client);
  return width === 1 ? oneByOne(name, call) : inFlight(width, name, call);
}
