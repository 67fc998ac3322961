/** The transports of the engine: it must not open a handshake of its own, and has to hear of every answer that is lost. */
import { StreamableHTTPClientTransport, type StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

type WireMessage = Parameters<StdioClientTransport['send']>[0];
type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** The server turned out to speak the handshake era: the engine was about to open a handshake. */
export class HandshakeServer extends Error {}

const STREAM_ENDED = { code: -32000, message: 'The connection ended before the server had answered' };

export class EngineStdioTransport extends StdioClientTransport {
  override send(message: WireMessage): Promise<void> {
    return opensHandshake(message) ? Promise.reject(new HandshakeServer()) : super.send(message);
  }
}

export class EngineHttpTransport extends StreamableHTTPClientTransport {
  readonly #unanswered = new Set<unknown>();

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, options);
    let listener: this['onmessage'];
    Object.defineProperty(this, 'onmessage', {
      get: () => listener,
      set: (given: this['onmessage']) => {
        listener = (message: WireMessage) => {
          if (!('method' in message)) this.#unanswered.delete(message.id);
          given?.(message);
        };
      },
    });
  }

  /** Requests that can still be answered. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  override async send(message: WireMessage | WireMessage[], options?: SendOptions): Promise<void> {
    if (opensHandshake(message)) throw new HandshakeServer();
    if (Array.isArray(message) || !('method' in message) || !('id' in message)) return super.send(message, options);
    // The engine itself watches the stream of a listener, and no other.
    if (message.method === 'subscriptions/listen') return super.send(message, options);
    const { id } = message;
    const forget = (): boolean => this.#unanswered.delete(id);
    this.#unanswered.add(id);
    // The signal is of this request alone, and goes with it. Nothing else tells that a stream is left.
    options?.requestSignal?.addEventListener('abort', forget, { once: true });
    // Spec, streamable-http: this era resumes no stream, so an answer that is not there now will not come.
    const onRequestStreamEnd = (): void => {
      if (forget()) this.onmessage?.({ jsonrpc: '2.0', id, error: STREAM_ENDED });
    };
    try {
      await super.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      forget();
      throw error;
    }
  }
}

function opensHandshake(message: WireMessage | WireMessage[]): boolean {
  return !Array.isArray(message) && 'method' in message && message.method === 'initialize';
}
