/** The serving entry, loaded when it is needed: it needs the official v2 engine, which not everybody has. */
import type { createMcpHandler } from '../serving/http.ts';

export interface ServeEntry {
  readonly createMcpHandler: typeof createMcpHandler;
}

/** @throws Error that says what to install, when the engine is not there. */
export async function loadServe(): Promise<ServeEntry> {
  try {
    // biome-ignore lint/style/noRestrictedImports: a build of this package has each entry in a file of its own.
    return await import('mcp-dual-era/serve');
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  if (!isMissing || !String(message).includes('@modelcontextprotocol/')) return error;
  return new Error(
    'mcp-dual-era/testing plays clients on 2026-07-28 with the official engine, which is not installed: ' +
      'npm install --save-dev @modelcontextprotocol/server',
    { cause: error },
  );
}
