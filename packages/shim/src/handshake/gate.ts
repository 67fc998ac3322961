/** Decides, before anything is sent, whether a whole round can be asked. */

import { requiredCapabilities } from '../core/capabilities.ts';
import type { CheckedAsk, CheckedRequest } from '../core/check-ask.ts';
import type { AskKind } from '../core/embedded-request.ts';
import { expressRequest } from '../core/express-request.ts';
import type { JsonObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Asking } from './asking.ts';
import type { Session } from './session.ts';

/** A question in the words of the connection's revision, ready to go out. */
export interface PreparedLeg {
  readonly request: CheckedRequest;
  readonly params: JsonObject;
}

/** Why a round does not take place: the members of its outcome, and what to tell in addition to the reason. */
export type Refusal = Pick<Outcome, 'reason' | 'key' | 'requiredCapabilities' | 'revision' | 'code' | 'retryAfter'> & {
  readonly detail: string;
};

export type Gate = { readonly legs: readonly PreparedLeg[] } | { readonly refusal: Refusal };

const NO_HANDSHAKE =
  'no initialize request was seen, as in a stateless HTTP session. ' +
  'Serve HTTP with sessions (sessionIdGenerator) to be able to ask';
const SHIM_OFF = 'wrap the server with withInputRequiredShim before connect, or keep the handler from asking';

/** Checks a round against the handshake, the call's limits and its history, and prepares its legs. */
export function passGate(session: Session, asking: Asking, ask: CheckedAsk): Gate {
  const { revision, options } = session;
  if (revision === undefined) {
    if (!session.isFulfilling) return { refusal: { reason: 'shim-off', detail: SHIM_OFF } };
    if (ask.requests.length > 0) return { refusal: { reason: 'no-channel', detail: NO_HANDSHAKE } };
    return limitOf(session, asking) ?? { legs: [] };
  }
  const legs: PreparedLeg[] = [];
  const unsaid: { key: string; why: string }[] = [];
  const missing: AskKind[] = [];
  for (const request of ask.requests) {
    const expressed = expressRequest(request, revision);
    if ('cannot' in expressed) unsaid.push({ key: request.key, why: expressed.cannot });
    else if (!session.kinds.has(request.kind)) missing.push(request.kind);
    else legs.push({ request, params: expressed.params });
  }
  if (unsaid.length > 0 || missing.length > 0) return { refusal: unsupported(revision, unsaid, new Set(missing)) };
  if (!session.isFulfilling) return { refusal: { reason: 'shim-off', detail: SHIM_OFF } };

  const repeated = options.onRepeatedAsk === 'end' ? asking.repeated.find(ask.requests) : undefined;
  if (repeated !== undefined) return { refusal: { ...repeated, detail: `the question is "${repeated.key}"` } };
  return limitOf(session, asking) ?? { legs: legs.map((leg) => withElicitationId(leg, asking, session)) };
}

function limitOf({ options }: Session, asking: Asking): Gate | undefined {
  if (asking.round <= options.maxRounds) return undefined;
  return { refusal: { reason: 'rounds-exceeded', detail: `maxRounds is ${options.maxRounds}` } };
}

function unsupported(
  revision: string,
  unsaid: readonly { key: string; why: string }[],
  missing: ReadonlySet<AskKind>,
): Refusal {
  const [first] = unsaid;
  const names = [...missing].map((kind) => (kind === 'form' || kind === 'url' ? `elicitation.${kind}` : kind));
  const undeclared = missing.size > 0 ? [`it did not declare ${names.join(', ')}`] : [];
  return {
    reason: 'unsupported',
    ...(first === undefined ? {} : { key: first.key, revision }),
    ...(missing.size === 0 ? {} : { requiredCapabilities: requiredCapabilities(missing) }),
    detail: [...unsaid.map(({ why }) => why), ...undeclared].join('; '),
  };
}

// Spec 2025-11-25, client/elicitation: URL mode requires an elicitationId, which 2026-07-28 no longer has.
function withElicitationId(leg: PreparedLeg, asking: Asking, { ports }: Session): PreparedLeg {
  const { request, params } = leg;
  if (request.kind !== 'url') return leg;
  const elicitationId = (params['elicitationId'] as string | undefined) ?? ports.randomId();
  asking.elicitationIds ??= new Map();
  asking.elicitationIds.set(request.key, elicitationId);
  return { request, params: { ...params, elicitationId } };
}
