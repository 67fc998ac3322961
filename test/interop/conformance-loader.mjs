/**
 * Lets the conformance suite start on Node.js 20: it imports `fs.globSync`, which came later, for a command that is not
 * run here. A hook for `module.register`.
 */
const FS = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined;";

export function resolve(specifier, context, nextResolve) {
  const isOwn = context.parentURL?.startsWith('data:') === true;
  if (specifier !== 'fs' || isOwn) return nextResolve(specifier, context);
  return { url: `data:text/javascript,${encodeURIComponent(FS)}`, shortCircuit: true };
}
