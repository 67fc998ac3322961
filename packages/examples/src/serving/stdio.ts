/** The example server on stdin and stdout, with something to do when its client is gone. */
// #region stdio
import { serveStdio } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';

const served = serveStdio(createDeployServer, { onerror: (error) => console.error(error) });
process.once('SIGTERM', () => void served.close());
await served.closed;
console.error('The client is gone.');
// #endregion stdio
