/** The server on stdio, as it was. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createNotesServer } from './notes-server.ts';

// #region before
await createNotesServer().connect(new StdioServerTransport());
// #endregion before
