import { createScriptServer, type ScriptServerSettings } from './script-server.ts';
import { sdkNamed } from './sdk.ts';

// A script server on stdio. What it has to report goes to stderr, a JSON line each.
const settings = JSON.parse(process.argv[2] ?? '{}') as ScriptServerSettings;
const report = (line: object): void => void process.stderr.write(`${JSON.stringify(line)}\n`);
const server = createScriptServer(settings, { event: (event) => report({ event }), run: (run) => report({ run }) });
const { StdioServerTransport } = sdkNamed(settings.sdk ?? 'newest');
await server.connect(new StdioServerTransport());
