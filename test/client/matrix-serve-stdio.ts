import {
  StdioServerTransport as OfficialTransport,
  serveStdio as serveOfficialStdio,
} from '@modelcontextprotocol/server/stdio';
import { serveStdio } from 'mcp-dual-era/serve';
import { sdkNamed } from '../support/sdk.ts';
import { createMatrixServer, createOfficialMatrixServer } from './matrix-servers.ts';

// The server that the first argument names, on stdio.
const [name] = process.argv.slice(2);
if (name === 'handshake') await createMatrixServer().connect(new (sdkNamed('newest').StdioServerTransport)());
else if (name === 'official handshake') await createOfficialMatrixServer().connect(new OfficialTransport());
else if (name === 'official dual') serveOfficialStdio(() => createOfficialMatrixServer());
else if (name === 'official modern') serveOfficialStdio(() => createOfficialMatrixServer(), { legacy: 'reject' });
else serveStdio(createMatrixServer, { eras: name === 'dual' ? 'both' : 'modern' });
