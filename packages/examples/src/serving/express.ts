/** The example server with Express, behind a body parser, for callers with a token. */
// #region express
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import express from 'express';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';
import { keysFromEnvironment } from './keys.ts';
import { runUntilTerm } from './run-until-term.ts';
import { tokens } from './tokens.ts';

const handler = createMcpHandler(createDeployServer, {
  inputRequired: { requestState: { keys: keysFromEnvironment() } },
});

const app = express();
app.use(express.json({ limit: '4mb' }));
// SDK v1's own: it sets request.auth, which the handler takes for the caller.
app.use(requireBearerAuth({ verifier: tokens }));
app.all('/mcp', (request, response) => handler.node(request, response, request.body));
// #endregion express
await runUntilTerm(app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1'), handler.close);
