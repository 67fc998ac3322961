import { type ServeOptions, serveStdio } from 'mcp-dual-era/serve';
import { createVectorServer } from './vector-factory.ts';

// The vectors' server on stdio, in both eras unless the options given as JSON say otherwise.
const options = process.argv[2];
if (options === undefined) serveStdio(() => createVectorServer());
else serveStdio(() => createVectorServer(), JSON.parse(options) as ServeOptions);
