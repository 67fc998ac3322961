import { type ServeOptions, serveStdio } from 'mcp-dual-era/serve';
import { createVectorServer } from './vector-factory.ts';

// The vectors' server on stdio, with the options given as JSON.
serveStdio(() => createVectorServer(), JSON.parse(process.argv[2] ?? '{}') as ServeOptions);
