/** The transport that the client of SDK v1 is connected to: behind it is whatever the server speaks. */
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCErrorResponse, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { DualEraError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { isRequest, type JsonRpcRequest, UNSUPPORTED_VERSION } from '../core/json-rpc.ts';
import { AskMemory } from './ask-memory.ts';
import type { ResolvedConnectOptions } from './client-options.ts';
import { type Attempt, connectError, isUndecided } from './connect-error.ts';
import { HandshakeServer } from './engine-transports.ts';
import { ModernConnection } from './modern-connection.ts';
import { openForEngine, openPlain, type Target, type WireTransport } from './target.ts';

export class DualTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly options: ResolvedConnectOptions;
  readonly memory: AskMemory = new AskMemory();
  readonly #target: Target;
  #plain: Transport | undefined;
  #modern: ModernConnection | undefined;
  /** What the engine is asking for the server's era. */
  #opening: WireTransport | undefined;
  #isClosed = false;

  constructor(target: Target, options: ResolvedConnectOptions) {
    this.#target = target;
    this.options = options;
  }

  get #attempt(): Attempt {
    return { ...this.options, isCommand: 'command' in this.#target };
  }

  get sessionId(): string | undefined {
    return this.#plain?.sessionId;
  }

  /** The leg to a modern server; undefined on a handshake connection, and before it is known. */
  get modern(): ModernConnection | undefined {
    return this.#modern;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) throw new DualEraError('NOT_CONNECTED', 'The connection is closed. Connect anew.');
    if (this.#modern !== undefined) this.#modern.take(message as never);
    else if (this.#plain !== undefined) await this.#plain.send(message, options);
    else if (isRequest(message) && message.method === 'initialize') await this.#open(message);
    else throw new DualEraError('NOT_CONNECTED', 'The connection is not open yet.');
  }

  setProtocolVersion(version: string): void {
    this.#plain?.setProtocolVersion?.(version);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
    await (this.#modern ?? this.#plain ?? this.#opening)?.close();
  }

  async #open(initialize: JsonRpcRequest): Promise<void> {
    const isModern = this.options.mode !== 'handshake' && (await this.#tryModern(initialize.params ?? {}));
    // Closed while it was being opened.
    if (this.#isClosed) return this.#modern?.close();
    if (!isModern) return this.#openPlain(initialize);
    const { modern } = this;
    const result = modern?.introduction() ?? {};
    this.#deliver({ jsonrpc: '2.0', id: initialize.id, result });
    void modern?.listen();
  }

  /** False where the server speaks the handshake era. */
  async #tryModern(params: JsonObject): Promise<boolean> {
    const modern = new ModernConnection(params, this.options, {
      deliver: (message) => this.#deliver(message),
      onError: (error) => this.onerror?.(error),
      hasHeaders: !('command' in this.#target),
    });
    const wire = openForEngine(this.#target);
    this.#opening = wire;
    try {
      await modern.connect(wire);
    } catch (error) {
      await modern.close().catch(() => undefined);
      if (this.options.mode === 'auto' && this.#meansHandshake(error)) return false;
      throw connectError(error, this.#attempt);
    }
    modern.onclose = () => void this.close();
    this.#modern = modern;
    return true;
  }

  /** A command that ends, or says nothing, when it is asked for the modern revision is a server of the handshake era. */
  #meansHandshake(error: unknown): boolean {
    return error instanceof HandshakeServer || ('command' in this.#target && isUndecided(error));
  }

  async #openPlain(initialize: JsonRpcRequest): Promise<void> {
    // Structurally one of SDK v1's too.
    const plain = openPlain(this.#target) as Transport;
    this.#plain = plain;
    const opened = new Promise<void>((resolve, reject) => {
      let isOpen = false;
      plain.onmessage = (message) => {
        if (isRefusal(message, initialize)) return reject(message.error);
        if ('id' in message && message.id === initialize.id) {
          isOpen = true;
          resolve();
        }
        this.#deliver(message);
      };
      // Before it is open, whoever opens it is to hear why, rather than that it was closed.
      plain.onclose = () => {
        if (isOpen) void this.close();
        else reject(new Error('the connection was closed before the server answered'));
      };
    });
    opened.catch(() => undefined);
    plain.onerror = (error) => this.onerror?.(error);
    try {
      await plain.start();
      await plain.send(initialize as JSONRPCMessage);
      await opened;
    } catch (error) {
      throw connectError(error, this.#attempt);
    }
  }

  #deliver(message: unknown): void {
    this.onmessage?.(message as JSONRPCMessage);
  }
}

/** Whether `message` says that the server has no revision for a handshake. */
function isRefusal(message: JSONRPCMessage, { id }: JsonRpcRequest): message is JSONRPCErrorResponse {
  return 'error' in message && message.id === id && message.error.code === UNSUPPORTED_VERSION;
}

/** The dual transport that `client` is connected to. @throws DualEraError `NOT_CONNECTED` when there is none. */
export function dualTransportOf(client: { readonly transport?: Transport | undefined }): DualTransport {
  const { transport } = client;
  if (transport instanceof DualTransport) return transport;
  throw new DualEraError('NOT_CONNECTED', 'Connect the client with connectDualEra first: it is not connected by it.');
}
