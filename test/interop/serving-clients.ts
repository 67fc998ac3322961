import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../support/json.ts';

/** Where an example is: a command that starts it, a URL, or what serves requests in this very process. */
export type Target =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | { readonly url: URL; readonly headers?: Record<string, string>; readonly fetch?: typeof fetch };

/** Who answers, by what is asked; `sample` is for a client that declares sampling. */
export interface Answers {
  readonly elicit: (params: Json) => Json;
  readonly sample?: (params: Json) => Json;
}

/** A client with a person who accepts what is asked, or gives the answers that they are given. */
export interface Connected {
  readonly asked: string[];
  readonly revision: string | undefined;
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

export type EraName = 'handshake' | 'modern';

const info = { name: 'reader', version: '1' };
const capabilitiesOf = ({ sample }: Answers) => ({
  elicitation: { form: {} },
  ...(sample !== undefined && { sampling: {} }),
});
const YES: Answers = { elicit: () => ({ action: 'accept', content: { confirmed: true } }) };

export function connect(era: EraName, target: Target, answers = YES): Promise<Connected> {
  return era === 'handshake' ? connectV1(target, answers) : connectV2(target, answers);
}

async function connectV1(target: Target, answers: Answers): Promise<Connected> {
  const client = new Client(info, { capabilities: capabilitiesOf(answers) });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return answers.elicit(params) as never;
  });
  const { sample } = answers;
  if (sample !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.push('sampling');
      return sample(params) as never;
    });
  }
  const transport =
    'command' in target
      ? new StdioClientTransport({ ...target, stderr: 'inherit' })
      : new StreamableHTTPClientTransport(target.url, optionsOf(target));
  await client.connect(transport as never);
  const revision = 'command' in target ? '2025-11-25' : (transport as StreamableHTTPClientTransport).protocolVersion;
  return {
    asked,
    revision,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

/** Pinned: in auto mode it could fall back to a handshake, and nobody would see. */
async function connectV2(target: Target, answers: Answers): Promise<Connected> {
  const capabilities = capabilitiesOf(answers);
  const client = new V2Client(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return answers.elicit(params) as never;
  });
  const { sample } = answers;
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      asked.push('sampling');
      return sample(params) as never;
    });
  }
  const transport =
    'command' in target ? new V2Stdio({ ...target, stderr: 'inherit' }) : new V2Http(target.url, optionsOf(target));
  await client.connect(transport);
  return {
    asked,
    revision: client.getNegotiatedProtocolVersion(),
    call: async (name, args) => withoutServerInfo(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

/** Each modern result says which server it comes from, which a handshake says once. */
function withoutServerInfo({ _meta, ...result }: Record<string, unknown>): unknown {
  const { 'io.modelcontextprotocol/serverInfo': info, ...others } = _meta as Record<string, unknown>;
  if (info === undefined) throw new Error('The result does not name its server');
  return Object.keys(others).length === 0 ? result : { ...result, _meta: others };
}

function optionsOf({ headers = {}, fetch: send }: Exclude<Target, { readonly command: string }>) {
  return { requestInit: { headers }, ...(send === undefined ? {} : { fetch: send }) };
}
