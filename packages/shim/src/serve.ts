/**
 * mcp-dual-era/serve: a server on SDK v1, served to handshake clients and to clients of revision 2026-07-28 alike.
 *
 * @module
 */
export type { Era } from './core/revision.ts';
export type { CacheHints } from './modern/cache-hints.ts';
export { createMcpHandler } from './serving/http.ts';
export type { FetchOptions, McpHandler, McpHandlerStats, ServerNotifier } from './serving/mcp-handler.ts';
export type {
  HttpServeOptions,
  ServeContext,
  ServeOptions,
  ServerFactory,
  SessionOptions,
} from './serving/serve-options.ts';
export { type ServedStdio, serveStdio } from './serving/stdio.ts';
