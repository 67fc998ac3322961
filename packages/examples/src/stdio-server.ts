/** The example server on stdin and stdout, for a client that starts it as a child process. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createDeployServer } from './deploy-server.ts';

await createDeployServer().connect(new StdioServerTransport());
