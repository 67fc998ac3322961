/** A tool that asks two things at once, through `extra.sendRequest`, and holds something that has to be let go. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError } from 'mcp-dual-era';
import { textResult } from '../handlers/text.ts';
import { type Form, ownerForm, severityForm } from './incident-forms.ts';

/** `lock` gives what lets it go again. */
export function addPlanTool(server: McpServer, lock: () => () => void): void {
  server.registerTool('plan_drill', {}, async (extra) => {
    const ask = (message: string, requestedSchema: Form) =>
      extra.sendRequest(
        { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } },
        ElicitResultSchema,
      );
    // #region together
    const unlock = lock();
    try {
      const [grade, leader] = await Promise.all([
        ask('How bad is it to be?', severityForm),
        ask('Who leads it?', ownerForm),
      ]);
      if (grade.action !== 'accept' || leader.action !== 'accept') return textResult('There is no drill.');
      return textResult(`A drill (${grade.content?.['severity']}), led by ${leader.content?.['owner']}.`);
    } catch (error) {
      // The question is on its way to the client: this run is over, and is not to go on.
      if (DualEraError.isInstance(error) && error.code === 'SUSPENDED') throw error;
      return textResult('Nobody can be asked.');
    } finally {
      unlock();
    }
    // #endregion together
  });
}
