import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createConfirmServer } from './confirm-server.ts';

await createConfirmServer().connect(new StdioServerTransport());
