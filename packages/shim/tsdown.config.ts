import { defineConfig } from 'tsdown';

const build = { target: 'node20', platform: 'node', fixedExtension: false, sourcemap: true } as const;
const library = {
  ...build,
  dts: true,
  publint: { strict: true },
  attw: { profile: 'node16', level: 'error' },
} as const;

// p-timeout is ESM only, which `require` cannot load on every Node.js 20.
const commonJs = {
  format: 'cjs',
  deps: { alwaysBundle: ['p-timeout'], onlyBundle: ['p-timeout'] },
  banner: { js: '/*! Contains p-timeout: see THIRD_PARTY_LICENSES.md */' },
} as const;

// Loaded when it is needed, by the name that users have for it: it needs a package that not everybody has.
const servesItself = { neverBundle: ['mcp-dual-era/serve'] };

// Each entry by itself, so that none needs a chunk whose name changes with its content.
export default defineConfig([
  { ...library, entry: { index: 'src/index.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { index: 'src/index.ts' }, ...commonJs },
  { ...library, entry: { serve: 'src/serve.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { serve: 'src/serve.ts' }, ...commonJs },
  { ...library, entry: { client: 'src/client.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { client: 'src/client.ts' }, format: 'cjs', deps: { onlyBundle: [] } },
  { ...library, entry: { redis: 'src/redis.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { redis: 'src/redis.ts' }, ...commonJs },
  { ...library, entry: { otel: 'src/otel.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { otel: 'src/otel.ts' }, format: 'cjs', deps: { onlyBundle: [] } },
  { ...library, entry: { testing: 'src/testing.ts' }, format: 'esm', deps: { onlyBundle: [], ...servesItself } },
  { ...library, entry: { testing: 'src/testing.ts' }, ...commonJs, deps: { ...commonJs.deps, ...servesItself } },
  { ...build, entry: { bin: 'src/bin.ts' }, format: 'esm', dts: false, sourcemap: false, deps: { onlyBundle: [] } },
]);
