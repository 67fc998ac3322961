/** The branch server, for both eras at one URL. */
// biome-ignore-all assist/source/organizeImports: the pages show it below the function, in the same file
import { createBranchServer } from './branch-server.ts';

// #region serve
import { createServer } from 'node:http';
import { createMcpHandler } from 'mcp-dual-era/serve';

const handler = createMcpHandler(createBranchServer, { onerror: (error) => console.error(error) });
const http = createServer((request, response) => void handler.node(request, response));
const port = Number(process.env['PORT'] ?? 3000);
http.listen(port, '127.0.0.1', () => console.error(`http://127.0.0.1:${port}/mcp`));
// #endregion serve
