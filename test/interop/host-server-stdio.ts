import { serveStdio as serveOfficialStdio } from '@modelcontextprotocol/server/stdio';
import { serveStdio } from 'mcp-dual-era/serve';
import { createOfficialServer, createOwnServer } from './host-servers.ts';

// The server that the first argument names, on stdio.
if (process.argv[2] === 'ours, dual') serveStdio(createOwnServer);
else serveOfficialStdio(() => createOfficialServer(), { legacy: 'reject' });
