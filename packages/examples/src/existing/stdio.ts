/** The server on stdin and stdout, for both eras. */
// #region replay
import { serveStdio } from 'mcp-dual-era/serve';
import { createIncidentServer } from './incident-server.ts';

serveStdio(createIncidentServer, {
  pushCalls: 'replay',
  inputRequired: {
    onEvent: (event) => {
      // A handler that is not fit to run again: it went on without its answer, or asked in another order.
      if (event.type === 'continued-after-suspend' || event.type === 'replay-drift') console.error(event);
    },
  },
});
// #endregion replay
