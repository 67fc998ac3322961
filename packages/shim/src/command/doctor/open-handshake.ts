/** A client of SDK v1, for the handshake era. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { METHOD_NOT_FOUND } from '../../core/json-rpc.ts';
import type { Habits } from './habits.ts';
import { openHttpLink } from './http-link.ts';
import { CAPABILITIES, type ClientKind, type Question } from './model.ts';
import { CLIENT_INFO, closeAll, NO_TIMEOUT, type OpenClient, pageOf } from './open-client.ts';
import { overhear } from './overhear.ts';
import { questionOf, refusalOf } from './questions.ts';
import type { SdkV1 } from './sdk-clients.ts';
import { StdioLink } from './stdio-link.ts';
import { type HttpTarget, type Look, type StdioTarget, step } from './step.ts';

/** Spec up to 2025-11-25: how a person's no to sampling reads. */
const REJECTED = -1;

/** @throws what the client or its transport throws, or TimeUp; then nothing is left open. */
export async function openHandshake(
  look: Look,
  sdk: SdkV1,
  { kind, habits }: { kind: ClientKind; habits: Habits },
): Promise<OpenClient> {
  const { target } = look;
  const link = target.kind === 'http' ? openHttpLink(look as Look<HttpTarget>, kind === 'stateless') : undefined;
  const transport =
    target.kind === 'http'
      ? new sdk.HttpTransport(target.url, { fetch: link?.fetch as never })
      : new StdioLink(look as Look<StdioTarget>, habits);
  const client = new sdk.Client(CLIENT_INFO, { capabilities: CAPABILITIES[kind] });
  let round = 0;
  const isRooted = Object.hasOwn(CAPABILITIES[kind], 'roots');
  let onQuestion: (question: Question) => void = () => undefined;
  // Every question, also of a kind that was not declared.
  client.fallbackRequestHandler = async ({ method, params }) => {
    round += 1;
    onQuestion(questionOf(look, round, method, params ?? {}));
    const refusal = refusalOf(method, isRooted);
    if (refusal !== undefined) return refusal;
    const isSampling = method === 'sampling/createMessage';
    throw sdk.errorOf(isSampling ? REJECTED : METHOD_NOT_FOUND, 'The person said no');
  };
  // What is wrong on the way is met by the step that waits for it.
  client.onerror = () => undefined;
  const options = { timeout: NO_TIMEOUT };
  const close = (): Promise<void> => closeAll(client, link);
  let revision = '';
  const asTransport = transport as unknown as Transport;
  watchRevision(asTransport, (negotiated) => {
    revision = negotiated;
  });
  try {
    await step(look, () => client.connect(asTransport, options));
  } catch (error) {
    await close();
    if (transport instanceof StdioLink) await transport.close();
    throw error;
  }
  const overheard = overhear(asTransport);
  return {
    revision,
    server: client.getServerVersion(),
    capabilities: { ...client.getServerCapabilities() },
    ended: () => (transport instanceof StdioLink ? transport.endedHow : undefined),
    async list(name, cursor) {
      const params = cursor === undefined ? undefined : { cursor };
      if (name === 'tools') await client.listTools(params, options);
      else if (name === 'prompts') await client.listPrompts(params, options);
      else await client.listResources(params, options);
      return pageOf(name, overheard.result());
    },
    needsHeaders: false,
    async listUnchecked(name) {
      const result = await client.request({ method: `${name}/list` } as never, sdk.anyResult, options);
      return pageOf(name, result as JsonObject);
    },
    async call({ name, arguments: args }, told) {
      // What it asked before is of no call.
      round = 0;
      onQuestion = told;
      const result: unknown = await client.callTool({ name, arguments: args }, undefined, options);
      return { result: isJsonObject(result) ? result : {} };
    },
    close,
  };
}

/** The client keeps the revision to itself, and tells its transport. */
function watchRevision(transport: Transport, onRevision: (revision: string) => void): void {
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (revision) => {
    onRevision(revision);
    tell?.(revision);
  };
}
