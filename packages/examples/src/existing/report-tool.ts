/** One tool that asks two things in mid-body: as it was written for SDK v1, and with its side effect under `once`. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { once } from 'mcp-dual-era';
import { z } from 'zod';
import { textResult } from '../handlers/text.ts';
import { ownerForm, severityForm } from './incident-forms.ts';
import type { Incidents } from './incidents.ts';

const inputSchema = { title: z.string() };

export function addReportToolBefore(server: McpServer, incidents: Incidents): void {
  // #region before
  server.registerTool('report_incident', { inputSchema }, async ({ title }) => {
    const grade = await server.server.elicitInput({ message: 'How bad is it?', requestedSchema: severityForm });
    if (grade.action !== 'accept') return textResult('Nothing was reported.');

    const incident = await incidents.open(title, String(grade.content?.['severity']));

    const message = `Who takes ${incident.id}?`;
    const answer = await server.server.elicitInput({ message, requestedSchema: ownerForm });
    if (answer.action !== 'accept') return textResult(`${incident.id} is open, and nobody takes it.`);
    await incidents.assign(incident.id, String(answer.content?.['owner']));
    return textResult(`${incident.id} (${incident.severity}) is open. ${answer.content?.['owner']} takes it.`);
  });
  // #endregion before
}

export function addReportTool(server: McpServer, incidents: Incidents): void {
  // #region after
  server.registerTool('report_incident', { inputSchema }, async ({ title }, extra) => {
    const grade = await server.server.elicitInput({ message: 'How bad is it?', requestedSchema: severityForm });
    if (grade.action !== 'accept') return textResult('Nothing was reported.');

    const incident = await once(extra, 'open', () => incidents.open(title, String(grade.content?.['severity'])));

    const message = `Who takes ${incident.id}?`;
    const answer = await server.server.elicitInput({ message, requestedSchema: ownerForm });
    if (answer.action !== 'accept') return textResult(`${incident.id} is open, and nobody takes it.`);
    await incidents.assign(incident.id, String(answer.content?.['owner']));
    return textResult(`${incident.id} (${incident.severity}) is open. ${answer.content?.['owner']} takes it.`);
  });
  // #endregion after
}
