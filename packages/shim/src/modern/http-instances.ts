/** The SDK v1 instances behind an HTTP endpoint: one is made for each request, and gone with it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { JsonRpcNotification } from '../core/json-rpc.ts';
import { requestInfoOf } from './engine-request.ts';
import { Instance, type InstanceOptions } from './instance.ts';
import type { ModernLeg } from './leg.ts';

export interface HttpInstancesOptions {
  readonly createServer: (context: McpRequestContext) => Promise<McpServer | Server>;
  readonly legOf: (server: McpServer | Server) => ModernLeg;
  readonly onChange: (notification: JsonRpcNotification) => void;
  readonly onError: (error: Error) => void;
}

/** A connected instance, and how it is served. */
export interface Made {
  readonly instance: Instance;
  readonly leg: ModernLeg;
}

export class HttpInstances {
  readonly #options: HttpInstancesOptions;
  readonly #open = new Set<Instance>();
  #isClosed = false;

  constructor(options: HttpInstancesOptions) {
    this.#options = options;
  }

  /** @throws Error when no more are made. */
  requireOpen(): void {
    if (this.#isClosed) throw new Error('The handler was closed');
  }

  /** @throws what the factory throws, and what connecting its server does; Error when no more are made. */
  async make(context: McpRequestContext): Promise<Made> {
    const { createServer, legOf, onChange, onError } = this.#options;
    const server = await createServer(context);
    if (this.#isClosed) await server.close();
    this.requireOpen();
    const leg = legOf(server);
    const { authInfo, requestInfo } = context;
    const instance = new Instance(server, {
      isShared: false,
      caller: { authInfo, requestInfo: requestInfoOf(requestInfo) } as NonNullable<InstanceOptions['caller']>,
      onChange,
      push: leg.push,
      onError,
    });
    this.#open.add(instance);
    try {
      await instance.connect();
    } catch (error) {
      this.#open.delete(instance);
      throw error;
    }
    return { instance, leg };
  }

  /** Not waited for: who is served by it has their answer. */
  close(instance: Instance): void {
    this.#open.delete(instance);
    instance.close().catch(this.#options.onError);
  }

  /** From now on none is made. */
  stop(): void {
    this.#isClosed = true;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((instance) => instance.close()));
  }
}
