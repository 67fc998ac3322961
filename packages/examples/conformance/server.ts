/**
 * The server that the official conformance suite tests, on SDK v1. The suite fixes the names of all it looks for, and
 * much of what is behind them.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator } from 'mcp-dual-era';
import { addAskingTools } from './asking-tools.ts';
import { addContentTools } from './content-tools.ts';
import { addDiagnosticTools } from './diagnostic-tools.ts';
import { addMultiRoundTools } from './multi-round-tools.ts';
import { addNotifyingTools } from './notifying-tools.ts';
import { addPrompts } from './prompts.ts';
import { addPushTools } from './push-tools.ts';
import { addResources } from './resources.ts';
import { addSchemaTools } from './schema-tools.ts';

// One for all instances: making one is the dearest part of making a server.
const jsonSchemaValidator = cachedValidator(new AjvJsonSchemaValidator());

export function createConformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-server', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } }, jsonSchemaValidator },
  );
  // The first tool listed has to succeed without arguments: the suite calls it to try its headers.
  addContentTools(server);
  addNotifyingTools(server);
  addPushTools(server);
  addAskingTools(server);
  addMultiRoundTools(server);
  addDiagnosticTools(server);
  addSchemaTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}
