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
  banner: { js: '/*! Contains p-timeout: MIT, Copyright (c) Sindre Sorhus <sindresorhus@gmail.com> */' },
} as const;

// Each entry by itself, so that none needs a chunk whose name changes with its content.
export default defineConfig([
  { ...library, entry: { index: 'src/index.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { index: 'src/index.ts' }, ...commonJs },
  { ...library, entry: { serve: 'src/serve.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { serve: 'src/serve.ts' }, ...commonJs },
  { ...library, entry: { client: 'src/client.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { client: 'src/client.ts' }, ...commonJs },
  { ...library, entry: { redis: 'src/redis.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { redis: 'src/redis.ts' }, ...commonJs },
  { ...library, entry: { otel: 'src/otel.ts' }, format: 'esm', deps: { onlyBundle: [] } },
  { ...library, entry: { otel: 'src/otel.ts' }, format: 'cjs', deps: { onlyBundle: [] } },
  { ...build, entry: { bin: 'src/bin.ts' }, format: 'esm', dts: false, sourcemap: false, deps: { onlyBundle: [] } },
]);
