/** One client's visit to one server: every step listed while it runs, then compared with what must come of it. */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { createListing } from './listing.ts';
import type { ExampleServer } from './servers.ts';
import type { Step } from './steps.ts';
import { tapTransport } from './tap.ts';

/** What became of a step. */
export interface Outcome {
  readonly title: string;
  readonly step: Step;
  readonly result: unknown;
  readonly questions: readonly string[];
  readonly isAsExpected: boolean;
}

export interface Visit {
  readonly name: string;
  /** What to see in its handshake. */
  readonly story: string;
  readonly server: ExampleServer;
  readonly client: Client;
  readonly steps: readonly Step[];
}

export async function runExchange({ name, story, server, client, steps }: Visit): Promise<Outcome[]> {
  const { transport, stop } = server;
  const listing = createListing();
  let questions: string[] = [];
  tapTransport(transport, (direction, message) => {
    listing.message(direction, message);
    if (direction === 'to-client' && isJSONRPCRequest(message)) questions.push(message.method);
  });

  const outcomes: Outcome[] = [];
  try {
    listing.title(`${name}: initialize`, story);
    await client.connect(transport);
    for (const step of steps) {
      const title = `${name}: ${step.title}`;
      listing.title(title, step.story);
      questions = [];
      const result = await step.run(client).catch((error: unknown) => error);
      const isAsExpected = isDeepStrictEqual(result, step.result) && isDeepStrictEqual(questions, [...step.questions]);
      outcomes.push({ title, step, result, questions, isAsExpected });
    }
  } finally {
    await client.close();
    await stop();
  }
  return outcomes;
}
