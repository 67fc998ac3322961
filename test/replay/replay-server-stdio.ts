import { serveStdio } from 'mcp-dual-era/serve';
import { BODIES } from './bodies.ts';
import { manyFactory, type ProcessSettings } from './replay-process.ts';

const { sdk, options } = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
const onEvent = (event: object): void => void process.stderr.write(`${JSON.stringify({ event })}\n`);
const inputRequired = { ...(options?.inputRequired || undefined), onEvent };
serveStdio(manyFactory(BODIES, sdk), { pushCalls: 'replay', ...options, inputRequired });
