/**
 * Notifications that a handler sends after its connection is gone. SDK v1 rejects them, and most handlers do not await
 * them: one client that leaves would end the process for all others.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { replaceMethods } from './replace-methods.ts';

/** Has `protocol` drop notifications while it is not connected. Not undone: what is late comes after the end. */
export function dropLateNotifications(protocol: Server): void {
  const original = protocol.notification as (...args: unknown[]) => Promise<void>;
  const notification = async (...args: unknown[]): Promise<void> => {
    if (protocol.transport === undefined) return;
    try {
      await original.apply(protocol, args);
    } catch (error) {
      if (protocol.transport !== undefined) throw error;
    }
  };
  replaceMethods(protocol, { notification });
}
