/**
 * mcp-dual-era/client: a client on SDK v1 that reaches servers of revision 2026-07-28, and answers their asks.
 *
 * @module
 */
export {
  type Answers,
  type CallSettings,
  callTool,
  getPrompt,
  type PendingAsk,
  pendingAsk,
  type ReceivedAsk,
  readResource,
} from './host/calls.ts';
export type { ConnectOptions } from './host/client-options.ts';
export { type Connected, connectDualEra } from './host/connect.ts';
export type { HttpTarget, StdioTarget, Target } from './host/target.ts';
