/** The official v2 client, for revision 2026-07-28. */
import { isInputRequiredResult } from '../../core/input-required.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { MODERN_REVISION } from '../../core/revision.ts';
import { ANY_VALUE } from '../../core/standard-schema.ts';
import type { Habits } from './habits.ts';
import { openHttpLink } from './http-link.ts';
import { CAPABILITIES, type ClientKind, type Question } from './model.ts';
import { type CallEnd, CLIENT_INFO, closeAll, NO_TIMEOUT, type OpenClient, pageOf } from './open-client.ts';
import { questionOf, refusalOf } from './questions.ts';
import type { SdkV2 } from './sdk-clients.ts';
import { StdioLink } from './stdio-link.ts';
import { type HttpTarget, type Look, type StdioTarget, step } from './step.ts';

/** As many as the official client allows. */
const MOST_ROUNDS = 10;
const MOST_PAGES = 100;

type Client = InstanceType<SdkV2['Client']>;

/** @throws what the client or its transport throws, or TimeUp; then nothing is left open. */
export async function openModern(
  look: Look,
  sdk: SdkV2,
  { kind, habits }: { kind: ClientKind; habits: Habits },
): Promise<OpenClient> {
  const { target } = look;
  const link = target.kind === 'http' ? openHttpLink(look as Look<HttpTarget>, false) : undefined;
  const transport =
    target.kind === 'http'
      ? new sdk.HttpTransport(target.url, { fetch: link?.fetch as never })
      : new StdioLink(look as Look<StdioTarget>, habits);
  const client = new sdk.Client(CLIENT_INFO, {
    capabilities: CAPABILITIES[kind],
    versionNegotiation: { mode: { pin: MODERN_REVISION }, probe: { timeoutMs: look.timeout } },
    inputRequired: { autoFulfill: false },
    listMaxPages: MOST_PAGES,
  });
  client.onerror = () => undefined;
  const options = { timeout: NO_TIMEOUT };
  const close = (): Promise<void> => closeAll(client, link);
  try {
    await step(look, () => client.connect(transport as never));
  } catch (error) {
    await close();
    if (transport instanceof StdioLink) await transport.close();
    throw error;
  }
  const request = async (method: string, params: JsonObject): Promise<JsonObject> =>
    (await client.request({ method, params }, ANY_VALUE, options)) as JsonObject;
  return {
    revision: MODERN_REVISION,
    server: client.getServerVersion(),
    capabilities: { ...client.getServerCapabilities() },
    ended: () => (transport instanceof StdioLink ? transport.endedHow : undefined),
    // Page by page, since the client stops without a word where a list goes round in circles.
    list: async (name, cursor) => pageOf(name, await request(`${name}/list`, cursor === undefined ? {} : { cursor })),
    needsHeaders: target.kind === 'http',
    readTools: async () => void (await client.listTools(undefined, options)),
    listUnchecked: async (name) => pageOf(name, await request(`${name}/list`, {})),
    call: ({ name, arguments: args }, onQuestion) => {
      const isRooted = Object.hasOwn(CAPABILITIES[kind], 'roots');
      return call(look, client, { params: { name, arguments: args }, isRooted, onQuestion });
    },
    close,
  };
}

interface Asked {
  readonly params: JsonObject;
  /** Whether the client declared roots. */
  readonly isRooted: boolean;
  readonly onQuestion: (question: Question) => void;
}

/** Calls, and calls again with a no to each question, for as long as the server asks. */
async function call(look: Look, client: Client, { params, isRooted, onQuestion }: Asked): Promise<CallEnd> {
  let retry: JsonObject = {};
  for (let round = 1; ; round += 1) {
    const result = (await client.callTool({ ...params, ...retry } as never, {
      timeout: NO_TIMEOUT,
      allowInputRequired: true,
    })) as JsonObject;
    if (!isInputRequiredResult(result)) return { result };
    const requests = isJsonObject(result.inputRequests) ? Object.entries(result.inputRequests) : [];
    // Without a prototype: a server may name its question __proto__.
    const inputResponses = Object.create(null) as JsonObject;
    let isStopped = false;
    for (const [key, request] of requests) {
      const { method: named, params: asked } = (isJsonObject(request) ? request : {}) as JsonObject;
      const method = typeof named === 'string' ? named : 'no method';
      onQuestion(questionOf(look, round, method, isJsonObject(asked) ? asked : {}));
      const refusal = refusalOf(method, isRooted);
      if (refusal === undefined) isStopped = true;
      else inputResponses[key] = refusal;
    }
    // Spec 2026-07-28, mrtr: there is no error among the answers. A client that refuses does not call again.
    if (isStopped) return { result, stopped: 'refused, and did not call again' };
    if (round === MOST_ROUNDS) return { result, stopped: `still asked in round ${MOST_ROUNDS}` };
    const { requestState } = result;
    retry = {
      ...(requests.length > 0 ? { inputResponses } : {}),
      ...(requestState === undefined ? {} : { requestState }),
    };
    if (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
