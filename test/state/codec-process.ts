/** A process of its own with a codec: mints and verifies what it is told to, over IPC. */
import { createRequestStateCodec } from 'mcp-dual-era';
import { CALL } from './sealing.ts';

const [key] = process.argv.slice(2);
const codec = createRequestStateCodec(key === undefined ? {} : { keys: key });

process.on('message', ({ mint, verify }: { mint?: unknown; verify?: unknown }) => {
  if (mint !== undefined) return void process.send?.({ state: codec.mint(mint, CALL) });
  try {
    process.send?.({ payload: codec.verify(verify, CALL) });
  } catch (error) {
    process.send?.({ cause: (error as Error).cause });
  }
});
