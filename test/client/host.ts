import { type ConnectOptions, connectDualEra, type Target } from 'mcp-dual-era/client';
import { onTestFinished } from 'vitest';
import type { Json } from '../support/json.ts';
import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { v1Client } from '../support/v1-clients.ts';

const INFO = { name: 'host', version: '1' };
export const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
export const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } };
export const ROOTS = { roots: [{ uri: 'file:///home/ada' }] };
export const ADA = { action: 'accept', content: { name: 'Ada' } };

/** Answers one question; the signal is that of the dialog. */
type Meet = (params: Json, signal: AbortSignal) => unknown;

export interface HostSettings {
  readonly sdk?: SdkName;
  readonly capabilities?: Json;
  readonly elicit?: Meet;
  readonly sample?: Meet;
  readonly roots?: Meet;
  readonly options?: ConnectOptions;
}

export type V1Client = InstanceType<ReturnType<typeof v1Client>['Client']>;

export interface Host {
  readonly client: V1Client;
  /** What was asked: `form Your name?`, `url https://...`, `sampling`, `roots`. */
  readonly asked: string[];
  /** What the client reported as errors of its own. */
  readonly errors: Error[];
}

/** A client of SDK v1 with handlers for all that its capabilities declare; it is closed when the test is over. */
export function createHost({ sdk = 'newest', capabilities = ALL, elicit, sample, roots }: HostSettings = {}): Host {
  const { types } = sdkNamed(sdk);
  const client = new (v1Client(sdk).Client)(INFO, { capabilities });
  const asked: string[] = [];
  const errors: Error[] = [];
  client.onerror = (error) => void errors.push(error);
  if ('elicitation' in capabilities) {
    client.setRequestHandler(types.ElicitRequestSchema, async ({ params }, { signal }) => {
      const { mode, url, message } = params as Json;
      asked.push(mode === 'url' ? `url ${url}` : `form ${message}`);
      if (elicit !== undefined) return (await elicit(params as Json, signal)) as never;
      return (mode === 'url' ? { action: 'accept' } : ADA) as never;
    });
  }
  if ('sampling' in capabilities) {
    client.setRequestHandler(types.CreateMessageRequestSchema, async ({ params }, { signal }) => {
      asked.push('sampling');
      return (sample === undefined ? SAMPLED : await sample(params as Json, signal)) as never;
    });
  }
  if ('roots' in capabilities) {
    client.setRequestHandler(types.ListRootsRequestSchema, async ({ params }, { signal }) => {
      asked.push('roots');
      return (roots === undefined ? ROOTS : await roots((params ?? {}) as Json, signal)) as never;
    });
  }
  onTestFinished(() => client.close());
  return { client, asked, errors };
}

export async function connectHost(target: Target, settings: HostSettings = {}): Promise<Host> {
  const host = createHost(settings);
  await connectDualEra(host.client, target, settings.options);
  return host;
}

export const textOf = (result: unknown): string => (result as Json)['content'][0].text as string;
