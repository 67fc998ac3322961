/** The example server with Fastify, which parses bodies by itself. */
// #region fastify
import fastify from 'fastify';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { createDeployServer } from '../deploy-server.ts';
import { keysFromEnvironment } from './keys.ts';
import { runUntilTerm } from './run-until-term.ts';

const handler = createMcpHandler(createDeployServer, {
  inputRequired: { requestState: { keys: keysFromEnvironment() } },
});

const app = fastify();
app.all('/mcp', (request, reply) => {
  // The handler answers on node's own response, streams too, so Fastify is to leave it alone.
  reply.hijack();
  return handler.node(request.raw, reply.raw, request.body);
});
// #endregion fastify
const listening = runUntilTerm(app.server, handler.close);
await app.listen({ port: Number(process.env['PORT'] ?? 0), host: '127.0.0.1' });
await listening;
