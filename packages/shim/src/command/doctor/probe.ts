/** Which eras the server speaks, found without a client, and how it meets requests that are wrong. Nothing that it has is called. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_VERSION } from '../../core/json-rpc.ts';
import { MODERN_REVISION, NEWEST_HANDSHAKE_REVISION } from '../../core/revision.ts';
import type { Finding, Verdict } from './model.ts';
import { claiming, initializeParams, type RawAnswer, type RawPeer } from './raw-peer.ts';
import type { Look } from './step.ts';

export interface Probe {
  /** `refused`: by a server that says so; `failed`: anything else. */
  readonly state: 'served' | 'refused' | 'failed';
  readonly seen: string;
  readonly findings: readonly Finding[];
}

export type OpenRaw = () => Promise<RawPeer>;

const NOBODY = 'mcp-dual-era-doctor-unknown';
const BROKEN_CLAIM = '2099-01-01';

/** Asks for 2026-07-28 in a handshake, which is to be answered with a revision of the handshake era. */
export async function probeHandshake(look: Look, open: OpenRaw): Promise<Probe> {
  const asked = await probe(look, open, async (peer) => {
    const answer = await peer.ask('initialize', initializeParams(MODERN_REVISION));
    if (answer.result === undefined) return { ...refusal(look, answer), findings: [] };
    const revision = look.tell(answer.result['protocolVersion']);
    const findings = [
      initializeFinding(look, answer.result['protocolVersion']),
      ...(await sessionFindings(look, peer, answer)),
    ];
    return { state: 'served', seen: `revision ${revision}`, findings };
  });
  if (asked.state === 'served') return asked;
  // It may know older revisions, and not how to say so.
  const plain = await probe(look, open, async (peer) => {
    const answer = await peer.ask('initialize', initializeParams(NEWEST_HANDSHAKE_REVISION));
    if (answer.result === undefined) return { ...refusal(look, answer), findings: [] };
    const seen = `initialize with ${MODERN_REVISION}: ${asked.seen}`;
    const findings = [problem('initialize-revision', seen), ...(await sessionFindings(look, peer, answer))];
    return { state: 'served', seen: `revision ${look.tell(answer.result['protocolVersion'])}`, findings };
  });
  return plain;
}

export function probeModern(look: Look, open: OpenRaw): Promise<Probe> {
  return probe(look, open, async (peer) => {
    const answer = await peer.ask('server/discover', claiming({}));
    const supported = answer.result?.['supportedVersions'];
    if (!Array.isArray(supported) || !supported.includes(MODERN_REVISION)) {
      if (answer.result === undefined) return { ...refusal(look, answer), findings: [] };
      return { state: 'refused', seen: `server/discover does not offer ${MODERN_REVISION}`, findings: [] };
    }
    const capabilities = answer.result?.['capabilities'];
    const hasTools = isJsonObject(capabilities) && 'tools' in capabilities;
    const findings = [
      // First: over stdio, what comes later may settle the revision.
      await findingOf(look, 'broken-claim', () => peer.ask('tools/list', claiming({}, BROKEN_CLAIM)), isVersionError),
      await findingOf(look, 'unknown-method', () => peer.ask(`${NOBODY}/method`, claiming({})), METHOD_NOT_FOUND),
      ...(hasTools
        ? [
            await findingOf(
              look,
              'unknown-tool',
              () => peer.ask('tools/call', claiming({ name: NOBODY })),
              INVALID_PARAMS,
            ),
          ]
        : []),
    ];
    return { state: 'served', seen: `server/discover offers ${MODERN_REVISION}`, findings };
  });
}

async function probe(look: Look, open: OpenRaw, run: (peer: RawPeer) => Promise<Probe>): Promise<Probe> {
  let peer: RawPeer | undefined;
  try {
    peer = await open();
    return await run(peer);
  } catch (error) {
    return { state: 'failed', seen: look.tell(error), findings: [] };
  } finally {
    await peer?.close();
  }
}

/** What an answer without a result says. */
function refusal(look: Look, { status, error, type = '', location }: RawAnswer): Pick<Probe, 'state' | 'seen'> {
  const to = location === undefined ? '' : ` to ${look.tell(location, 100)}`;
  const http = status === undefined ? '' : `HTTP ${status}${to}`;
  const said = error === undefined ? '' : `error ${look.tell(error.code)} ${look.tell(error.message)}`;
  const seen = [http, said === '' && type !== '' ? look.tell(type, 40) : said].filter((part) => part !== '').join(', ');
  if (status === undefined) return { state: error === undefined ? 'failed' : 'refused', seen };
  // Who may not enter, or comes at a bad time, learns nothing of the server.
  const isClosed = [401, 403, 404, 408, 429].includes(status) && error?.code !== METHOD_NOT_FOUND;
  const isRefused = !isClosed && (error === undefined ? status >= 400 && status < 500 : status < 500);
  return { state: isRefused ? 'refused' : 'failed', seen };
}

function initializeFinding(look: Look, revision: unknown): Finding {
  const seen = `initialize with ${MODERN_REVISION} is answered with ${look.tell(revision)}`;
  if (typeof revision === 'string' && /^\d{4}-\d\d-\d\d$/.test(revision) && revision < MODERN_REVISION) {
    return { id: 'initialize-revision', verdict: 'ok', seen };
  }
  return problem('initialize-revision', seen);
}

/** Over HTTP: whether a question finds its way to a client of the handshake era. */
async function sessionFindings(look: Look, peer: RawPeer, opened: RawAnswer): Promise<Finding[]> {
  if (opened.status === undefined) return [];
  await peer.notify('notifications/initialized');
  const session: Finding = opened.hasSession
    ? { id: 'sessions', verdict: 'ok', seen: 'initialize is answered with an Mcp-Session-Id' }
    : {
        id: 'sessions',
        verdict: 'warning',
        seen: 'initialize is answered without an Mcp-Session-Id: no question can reach a client of the handshake era',
        cure: 'give sessions (sessionIdGenerator), or serve with mcp-dual-era/serve, which does',
        page: 'docs/serving.md#sessions',
      };
  try {
    const answer = await peer.ask('tools/call', { name: NOBODY, arguments: {} });
    if (answer.type === 'text/event-stream')
      return [session, { id: 'json-response', verdict: 'ok', seen: 'a call has a stream' }];
    if (answer.type !== 'application/json') {
      const seen = `a call of an unknown tool is answered with ${refusal(look, answer).seen}`;
      const cure = 'answer a call with a stream (text/event-stream)';
      return [session, { id: 'json-response', verdict: 'warning', seen, cure, page: 'docs/doctor.md#json-response' }];
    }
    const seen = 'a call was answered with plain JSON: no question can travel while it runs';
    const cure = 'leave enableJsonResponse off, so that calls have a stream';
    return [session, { id: 'json-response', verdict: 'warning', seen, cure, page: 'docs/errors.md#no-channel' }];
  } catch (error) {
    const seen = `a call of an unknown tool: ${look.tell(error)}`;
    const cure = 'answer a call of an unknown tool with an error';
    return [session, { id: 'json-response', verdict: 'problem', seen, cure, page: 'docs/doctor.md#json-response' }];
  }
}

function problem(id: 'initialize-revision', seen: string): Finding {
  const cure = `answer an initialize of a revision you do not know with your newest up to ${NEWEST_HANDSHAKE_REVISION}`;
  return { id, verdict: 'problem', seen, cure, page: `docs/doctor.md#${id}` };
}

type ErrorId = 'broken-claim' | 'unknown-method' | 'unknown-tool';

const WANTED: Readonly<Record<ErrorId, readonly [what: string, wanted: string]>> = {
  'broken-claim': [
    `a request that claims ${BROKEN_CLAIM}`,
    `error ${UNSUPPORTED_VERSION}, whose data.supported has ${MODERN_REVISION}`,
  ],
  'unknown-method': ['an unknown method', `error ${METHOD_NOT_FOUND}`],
  'unknown-tool': ['a call of an unknown tool', `error ${INVALID_PARAMS}`],
};

async function findingOf(
  look: Look,
  id: ErrorId,
  ask: () => Promise<RawAnswer>,
  wanted: number | ((answer: RawAnswer) => boolean),
): Promise<Finding> {
  const [what, right] = WANTED[id];
  const wrong = (verdict: Verdict, came: string): Finding => ({
    id,
    verdict,
    seen: `${what} is answered with ${came}`,
    cure: `answer with ${right}`,
    page: `docs/doctor.md#${id}`,
  });
  try {
    const answer = await ask();
    const isRight = typeof wanted === 'number' ? answer.error?.code === wanted : wanted(answer);
    if (isRight) return { id, verdict: 'ok', seen: `${what} is answered with error ${look.tell(answer.error?.code)}` };
    if (answer.error === undefined)
      return wrong('problem', answer.result === undefined ? refusal(look, answer).seen : 'a result');
    // An error of another kind still keeps the client from harm; a claim has to be told apart to be made again.
    return wrong(id === 'broken-claim' ? 'problem' : 'warning', `error ${look.tell(answer.error.code)}`);
  } catch (error) {
    return wrong('problem', look.tell(error));
  }
}

function isVersionError({ error }: RawAnswer): boolean {
  const data = error?.data;
  const supported = isJsonObject(data) ? (data as JsonObject)['supported'] : undefined;
  return error?.code === UNSUPPORTED_VERSION && Array.isArray(supported) && supported.includes(MODERN_REVISION);
}
