/** The server on stdio, for both eras. */
import { serveStdio } from 'mcp-dual-era/serve';
import { createNotesServer } from './notes-server.ts';

// #region after
serveStdio(createNotesServer);
// #endregion after
