/** The same server over HTTP twice: as it was, and with the serving entry. */
import express, { type Express } from 'express';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createNotesServer } from './notes-server.ts';
import { keepSessions } from './sessions.ts';

export function mountBefore(app: Express): void {
  // #region before
  const serve = keepSessions(createNotesServer);
  app.all('/mcp', (request, response) => serve(request, response, request.body));
  // #endregion before
}

export function mountAfter(app: Express): void {
  // #region after
  const serve = createMcpHandler(createNotesServer).node;
  app.all('/mcp', (request, response) => serve(request, response, request.body));
  // #endregion after
}

export function createApp(mount: (app: Express) => void): Express {
  const app = express();
  app.use(express.json());
  mount(app);
  return app;
}
