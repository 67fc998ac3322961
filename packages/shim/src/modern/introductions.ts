/** The synthetic handshakes of a bridged SDK v1 server: it holds the client that was introduced last for its own. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { isJsonObject, isSameJson, type JsonObject } from '../core/json.ts';
import { NEWEST_HANDSHAKE_REVISION } from '../core/revision.ts';
import { handshakeCapabilities, type SeenClient, seenClient } from './client-of-run.ts';
import type { ModernClient } from './modern-request.ts';

/** What a server said of itself in its handshake. */
export interface Introduction {
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

interface Introduced {
  readonly introduction: Introduction;
  readonly seen: SeenClient;
}

export class Introductions {
  readonly #protocol: Server;
  readonly #ask: (method: string, params: JsonObject) => Promise<JsonObject>;
  #client: ModernClient | undefined;
  /** The client as SDK v1 knows it, once it has been introduced. */
  #seen: Promise<SeenClient | undefined> | undefined;

  constructor(protocol: Server, ask: (method: string, params: JsonObject) => Promise<JsonObject>) {
    this.#protocol = protocol;
    this.#ask = ask;
  }

  /** Introduces `client`, which SDK v1 then holds for the one it serves. */
  async introduce(client: ModernClient): Promise<Introduction> {
    return (await this.#introduceInTurn(client)).introduction;
  }

  /** `client` as SDK v1 knows it, introduced first where it is another than the last one. */
  async adopt(client: ModernClient): Promise<SeenClient | undefined> {
    return isSameJson(this.#client, client) ? this.#seen : (await this.#introduceInTurn(client)).seen;
  }

  /** One after the other: SDK v1 is to be asked about each before the next comes. */
  #introduceInTurn(client: ModernClient): Promise<Introduced> {
    this.#client = client;
    const introduced = this.#seen?.then(() => this.#introduce(client)) ?? this.#introduce(client);
    this.#seen = introduced.then(
      ({ seen }) => seen,
      () => undefined,
    );
    return introduced;
  }

  async #introduce(client: ModernClient): Promise<Introduced> {
    const result = await this.#ask('initialize', {
      protocolVersion: NEWEST_HANDSHAKE_REVISION,
      capabilities: handshakeCapabilities(client),
      clientInfo: { name: 'unknown', version: 'unknown', ...client.info },
    });
    const { serverInfo, capabilities, instructions } = result;
    const introduction = {
      serverInfo: serverInfo as Introduction['serverInfo'],
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      instructions: typeof instructions === 'string' ? instructions : undefined,
    };
    return { introduction, seen: seenClient(this.#protocol) };
  }
}
