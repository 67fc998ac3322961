/** A server as it may have been on SDK v1 for long: its tools ask in mid-body. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cachedValidator } from 'mcp-dual-era';
import { createIncidents } from './incidents.ts';
import { addPlanTool } from './plan-tool.ts';
import { addReportTool } from './report-tool.ts';

const incidents = createIncidents();
const jsonSchemaValidator = cachedValidator(new AjvJsonSchemaValidator());

export function createIncidentServer(): McpServer {
  const server = new McpServer({ name: 'incidents', version: '1.0.0' }, { jsonSchemaValidator });
  addReportTool(server, incidents);
  addPlanTool(server, () => () => undefined);
  return server;
}
