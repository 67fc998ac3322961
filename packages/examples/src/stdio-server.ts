/** The example server on stdin and stdout, for clients of both eras that start it as a child process. */
// #region stdio
import { serveStdio } from 'mcp-dual-era/serve';
import { createDeployServer } from './deploy-server.ts';

serveStdio(createDeployServer);
// #endregion stdio
