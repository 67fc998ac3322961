import { once } from 'node:events';
import { type ServeOptions, serveStdio } from 'mcp-dual-era/serve';
import { createSessionServer, newLog } from './session-server.ts';

// The session server on stdio, with the options given as JSON; it tells on stderr what it does. It has a tool more that
// is answered only after the end of stdin, and one that closes the connection.
const tell = (what: string): unknown => process.stderr.write(`${what}\n`);

const served = serveStdio(
  (context) => {
    const server = createSessionServer(newLog(), context);
    tell(`made ${context.era}`);
    server.registerTool('finish', {}, async () => {
      tell('running');
      await once(process.stdin, 'end');
      return { content: [{ type: 'text', text: 'finished' }] };
    });
    server.registerTool('close', {}, async () => {
      setImmediate(() => served.close().then(() => tell('close settled')));
      return { content: [{ type: 'text', text: 'closing' }] };
    });
    return server;
  },
  { onerror: (error) => tell(`error ${error.message}`), ...(JSON.parse(process.argv[2] ?? '{}') as ServeOptions) },
);
void served.closed.then(() => tell('closed'));
