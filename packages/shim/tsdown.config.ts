import { defineConfig } from 'tsdown';

const shared = {
  entry: { index: 'src/index.ts' },
  target: 'node20',
  platform: 'node',
  fixedExtension: false,
  dts: true,
  sourcemap: true,
  publint: { strict: true },
  attw: { profile: 'node16', level: 'error' },
} as const;

export default defineConfig([
  { ...shared, format: 'esm', deps: { onlyBundle: [] } },
  // p-timeout is ESM only, which `require` cannot load on every Node.js 20.
  {
    ...shared,
    format: 'cjs',
    deps: { alwaysBundle: ['p-timeout'], onlyBundle: ['p-timeout'] },
    banner: { js: '/*! Contains p-timeout: MIT, Copyright (c) Sindre Sorhus <sindresorhus@gmail.com> */' },
  },
]);
