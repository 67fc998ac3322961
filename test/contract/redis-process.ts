/** A process of its own with a single-use codec over a shared Redis: verifies what it is told to, over IPC. */
import { createRequestStateCodec } from 'mcp-dual-era';
import { redisSingleUseStore } from 'mcp-dual-era/redis';
import { createClient } from 'redis';
import { CALL, KEY } from '../state/sealing.ts';

const [path = ''] = process.argv.slice(2);
const client = createClient({ socket: { path, tls: false } });
await client.connect();
const codec = createRequestStateCodec({ keys: KEY, singleUse: redisSingleUseStore(client) });

process.on('message', async ({ verify }: { verify?: unknown }) => {
  // Without a state: told that it is there.
  if (verify === undefined) return void process.send?.({ isReady: true });
  try {
    process.send?.({ payload: await codec.verify(verify, CALL) });
  } catch (error) {
    process.send?.({ cause: (error as Error).cause });
  }
});
process.once('disconnect', () => void client.close());
