/** The branch server, for both eras on one pipe. */
// biome-ignore-all assist/source/organizeImports: the pages show it below the function, in the same file
import { createBranchServer } from './branch-server.ts';

// #region serve
import { serveStdio } from 'mcp-dual-era/serve';

serveStdio(createBranchServer);
// #endregion serve
