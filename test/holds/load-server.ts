/** A server of its own process that holds many calls, and tells what that takes: over IPC, whenever it is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator, createHolds, inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { z } from 'zod';
import { collectGarbage } from '../support/collect-garbage.ts';

export interface LoadReport {
  readonly sessions: number;
  readonly held: number;
  readonly queued: number;
  readonly openLegs: number;
  readonly calls: number;
  readonly refused: number;
  readonly accepted: number;
  readonly heapUsed: number;
  readonly rss: number;
}

const jsonSchemaValidator = cachedValidator(new AjvJsonSchemaValidator());
const holds = createHolds({ max: Number(process.argv[2]) });
const requestedSchema = z.object({ word: z.string() });

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'load', version: '1' }, { jsonSchemaValidator });
    server.registerTool('ask', { inputSchema: { call: z.number() } }, ({ call }, extra) => {
      const word = inputContext(extra).accepted('word', requestedSchema)?.word;
      if (word !== undefined) return { content: [{ type: 'text', text: `${call}: ${word}` }] };
      return inputRequired({
        inputRequests: { word: inputRequired.elicit({ message: `The word of call ${call}?`, requestedSchema }) },
      });
    });
    return server;
  },
  { inputRequired: { holds }, sessions: { max: 20_000 } },
);

const http = createServer((request, response) => void handler.node(request, response));
http.listen(0, '127.0.0.1', () => process.send?.({ port: (http.address() as AddressInfo).port }));

process.on('message', (message) => {
  if (message === 'end') {
    void handler.close().then(() => http.close());
    http.closeAllConnections();
    process.disconnect();
    return;
  }
  collectGarbage();
  const { held, queued, openLegs, calls, refused, legs } = holds.stats();
  const { heapUsed, rss } = process.memoryUsage();
  const { sessions } = handler.stats();
  const accepted = legs.form?.accepted ?? 0;
  process.send?.({ sessions, held, queued, openLegs, calls, refused, accepted, heapUsed, rss } satisfies LoadReport);
});
