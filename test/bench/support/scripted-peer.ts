/** A client that is no more than its script, so that what is measured is the server. */
import assert from 'node:assert/strict';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ANSWER, assertDeployed } from './deploy.ts';

type Id = string | number;

/** One connection: its person answers only when told to. */
export class ScriptedPeer {
  readonly #transport: InMemoryTransport;
  readonly #legs: Id[] = [];
  #onLeg: () => void = () => undefined;
  #onAnswer: (id: Id, result: unknown) => void = () => undefined;

  private constructor(transport: InMemoryTransport) {
    this.#transport = transport;
    transport.onmessage = (message) => this.#take(message);
  }

  /** Connects to `server` and shakes hands. */
  static async connect(server: McpServer): Promise<ScriptedPeer> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const peer = new ScriptedPeer(near);
    await server.connect(far);
    await near.start();
    await peer.#initialize();
    return peer;
  }

  async #initialize(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: 'peer', version: '1.0.0' },
    };
    await new Promise<void>((resolve) => {
      this.#onAnswer = () => resolve();
      void this.#transport.send({ jsonrpc: '2.0', id: 'initialize', method: 'initialize', params });
    });
    await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Makes `count` calls of the tool, and returns once each of them has asked. */
  async hold(count: number): Promise<void> {
    const before = this.#legs.length;
    const asked = new Promise<void>((resolve) => {
      this.#onLeg = () => {
        if (this.#legs.length === before + count) resolve();
      };
    });
    for (let index = 0; index < count; index += 1) {
      const params = { name: 'deploy', arguments: { service: 'api' } };
      void this.#transport.send({ jsonrpc: '2.0', id: before + index, method: 'tools/call', params });
    }
    await asked;
  }

  /** Answers every question that is out, and returns once each call has its result, checked. */
  async release(): Promise<void> {
    const legs = this.#legs.splice(0);
    let answered = 0;
    const done = new Promise<void>((resolve, reject) => {
      this.#onAnswer = (_id, result) => {
        try {
          assertDeployed(result, 'api');
        } catch (error) {
          reject(error);
        }
        answered += 1;
        if (answered === legs.length) resolve();
      };
    });
    const result = { action: 'accept', content: ANSWER };
    for (const id of legs) void this.#transport.send({ jsonrpc: '2.0', id, result });
    await done;
  }

  #take(message: JSONRPCMessage): void {
    if ('method' in message) {
      assert.ok('id' in message && message.method === 'elicitation/create', `${message.method} is not in the script`);
      this.#legs.push(message.id);
      this.#onLeg();
    } else {
      assert.ok('result' in message, JSON.stringify(message));
      this.#onAnswer(message.id, message.result);
    }
  }
}
