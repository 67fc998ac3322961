/** What the root entry adds to an application, its dependencies aside. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { exactly, type Row } from '../support/figure.ts';

const FOREIGN = /@modelcontextprotocol\/server(?![\w-])/g;

export const row: Row = async () => {
  const code = await bundle(fileURLToPath(import.meta.resolve('mcp-dual-era')));
  return [
    {
      name: 'root entry without its dependencies, minified and gzipped',
      unit: 'KB',
      bound: 14,
      shim: exactly(gzipSync(code, { level: 9 }).length / 1_000),
      others: [{ name: 'minified only, KB', spread: exactly(Buffer.byteLength(code) / 1_000) }],
    },
    {
      name: 'names of @modelcontextprotocol/server in it',
      unit: 'names',
      bound: 0,
      shim: exactly(code.match(FOREIGN)?.length ?? 0),
    },
  ];
};

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'node20',
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        external: (id) => !id.startsWith('.') && !id.startsWith('/'),
        output: { format: 'es' },
      },
    },
  });
  const outputs = [result].flat().flatMap((built) => ('output' in built ? built.output : []));
  return outputs.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
}
