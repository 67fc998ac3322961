import { serveStdio } from 'mcp-dual-era/serve';
import { factoryOf, type ModernSettings, optionsOf } from './modern-factories.ts';

// What the server's side has to tell its test goes to stderr, a JSON line each.
const settings = JSON.parse(process.argv[2] ?? '{}') as ModernSettings;
const report = (line: object): void => {
  if (settings.isQuiet !== true) process.stderr.write(`${JSON.stringify(line)}\n`);
};
serveStdio(factoryOf(settings, report), optionsOf(settings, report));
