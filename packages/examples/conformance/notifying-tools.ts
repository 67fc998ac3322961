/** Tools that say something before their result, on the stream of the call. */
import { setTimeout as wait } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { textResult } from '../src/handlers/text.ts';

const PAUSE = 50;

export function addNotifyingTools(server: McpServer): void {
  server.registerTool('test_tool_with_progress', { description: 'Reports its progress' }, async (extra) => {
    const progressToken = extra._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken ?? '', progress, total: 100, message: `Done ${progress} of 100` };
      await extra.sendNotification({ method: 'notifications/progress', params });
      await wait(PAUSE);
    }
    return textResult('Done.');
  });

  server.registerTool('test_tool_with_logging', { description: 'Logs while it runs' }, async (extra) => {
    for (const data of ['Tool started', 'Tool is at work', 'Tool has finished']) {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
      await wait(PAUSE);
    }
    return textResult('Logged three lines.');
  });

  server.registerTool('test_reconnection', { description: 'Closes its stream and goes on' }, async (extra) => {
    // The client comes back for the result with the id of the last event it saw.
    extra.closeSSEStream?.();
    await wait(2 * PAUSE);
    return textResult('The stream was closed, and the result is here all the same.');
  });
}
