/** A client on SDK v1 that reaches servers of either era. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DualEraError, type EmbeddedRequest, isInputRequiredResult } from 'mcp-dual-era';
import { callTool, connectDualEra, getPrompt, readResource, type Target } from 'mcp-dual-era/client';

export async function connectBefore(client: Client, url: URL): Promise<void> {
  // #region before
  await client.connect(new StreamableHTTPClientTransport(url));
  // #endregion before
}

export async function connectAfter(client: Client, url: URL): Promise<void> {
  // #region after
  await connectDualEra(client, url);
  // #endregion after
}

export function targetsOf(url: string, token: string): Target[] {
  return [
    // #region targets
    // With the options of SDK v1's own transports: requestInit, authProvider and fetch; args, env, cwd and stderr.
    { url, requestInit: { headers: { authorization: `Bearer ${token}` } } },
    { command: 'node', args: ['server.js'], env: { LOG: 'quiet' } },
    // #endregion targets
  ];
}

export async function callAtLeisure(client: Client, params: { name: string; arguments?: Record<string, unknown> }) {
  // #region leisure
  // Ten minutes for the call with all its questions. SDK v1 gives up after one.
  const result = await client.callTool(params, undefined, { timeout: 600_000 });
  // #endregion leisure
  return result;
}

type Answer = (request: EmbeddedRequest) => Promise<unknown>;

export async function deployByHand(client: Client, answer: Answer) {
  // #region hand
  const call = { name: 'deploy', arguments: { environment: 'staging' } };
  let result = await callTool(client, call);
  while (isInputRequiredResult(result)) {
    const { inputRequests = {}, requestState } = result;
    const answered = Object.entries(inputRequests).map(async ([key, request]) => [key, await answer(request)]);
    const inputResponses = Object.fromEntries(await Promise.all(answered));
    // The same call once more, with this round's answers, and the state as it came.
    result = await callTool(client, { ...call, inputResponses, requestState });
  }
  // #endregion hand
  return result;
}

/** What cannot be had without asking somebody. */
export async function namesOfAsking(client: Client): Promise<string[]> {
  // #region others
  const prompt = await getPrompt(client, { name: 'release_notes', arguments: { build: 'build-41' } });
  const log = await readResource(client, { uri: 'deploy://log/staging' });
  const asking = Object.entries({ prompt, log }).filter(([, result]) => isInputRequiredResult(result));
  // #endregion others
  return asking.map(([name]) => name);
}

export async function connectOrSignIn(client: Client, target: Target): Promise<string> {
  // #region errors
  try {
    const { era } = await connectDualEra(client, target);
    return era;
  } catch (error) {
    if (DualEraError.isInstance(error) && error.code === 'UNAUTHORIZED') return 'sign in first';
    throw error;
  }
  // #endregion errors
}
