/** One client's visit to one server: every step listed while it runs, then compared with what must come of it. */
import { isDeepStrictEqual } from 'node:util';
import type { DemoClient } from './client.ts';
import { questionsIn } from './describe-message.ts';
import type { Listing } from './listing.ts';
import { createMessageReader, type Line } from './message-reader.ts';
import type { ExampleServer } from './servers.ts';
import type { Step } from './steps.ts';
import { tapTransport } from './tap.ts';

/** What became of a step. */
export interface Outcome {
  readonly title: string;
  readonly step: Step;
  readonly result: unknown;
  readonly questions: readonly string[];
  /** Every message of the step. */
  readonly lines: readonly Line[];
  readonly isAsExpected: boolean;
}

export interface Visit {
  readonly name: string;
  /** What to see in its handshake. */
  readonly story: string;
  readonly server: ExampleServer;
  readonly client: DemoClient;
  readonly steps: readonly Step[];
  /** Where it is told as it happens, if anywhere. */
  readonly listing?: Listing;
}

export async function runExchange({ name, story, server, client, steps, listing }: Visit): Promise<Outcome[]> {
  const { transport, stop } = server;
  const readMessage = createMessageReader();
  let questions: string[] = [];
  let lines: Line[] = [];
  tapTransport(transport, (direction, message) => {
    const line = readMessage(direction, message);
    listing?.line(line);
    lines.push(line);
    if (direction === 'to-client') questions.push(...questionsIn(message));
  });

  const outcomes: Outcome[] = [];
  try {
    listing?.title(`${name}: initialize`, story);
    await client.connect(transport);
    for (const step of steps) {
      const title = `${name}: ${step.title}`;
      listing?.title(title, step.story);
      questions = [];
      lines = [];
      const result = await step.run(client).catch((error: unknown) => error);
      const isAsExpected = isDeepStrictEqual(result, step.result) && isDeepStrictEqual(questions, [...step.questions]);
      outcomes.push({ title, step, result, questions, lines, isAsExpected });
    }
  } finally {
    await client.close();
    await stop();
  }
  return outcomes;
}
