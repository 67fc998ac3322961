/** Over HTTP: whether a page in a browser could reach the server under a name, or from a page, of its own. */
import { type Era, MODERN_REVISION, NEWEST_HANDSHAKE_REVISION } from '../../core/revision.ts';
import type { Finding } from './model.ts';
import { claiming, initializeParams, openRawHttp, type RawAnswer } from './raw-peer.ts';
import type { HttpTarget, Look } from './step.ts';

const STRANGER = 'mcp-dual-era-doctor.invalid';
/** Also Bad Request and Misdirected Request, where a request of its own is answered. */
const REFUSALS: readonly number[] = [403, 400, 421];
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** @param era - one that the server speaks. */
export async function checkNames(look: Look<HttpTarget>, era: Era): Promise<Finding[]> {
  const { hostname, protocol } = look.target.url;
  const isLocal = LOOPBACK.test(hostname);
  const check = async (id: 'host' | 'origin', headers: Record<string, string>, option: string): Promise<Finding> => {
    const what = `a request with the ${id === 'host' ? 'Host' : 'Origin'} of another ${id === 'host' ? 'name' : 'page'}`;
    const unknown = (came: string): Finding => ({
      id,
      verdict: 'warning',
      seen: `it could not be told whether ${what} is refused: ${came}`,
      cure: 'look again when the server answers, and refuse with 403',
      page: `docs/doctor.md#${id}`,
    });
    // Otherwise a server that refuses everything, or is busy, would pass.
    const control = await open(look, era, {});
    if (!('result' in control)) return unknown(`one of its own ${cameOf(look, control)}`);
    const answer = await open(look, era, headers);
    if ('result' in answer) {
      return {
        id,
        // What is public can be reached without a trick.
        verdict: isLocal ? 'problem' : 'warning',
        seen: `${what} is answered${id === 'host' && isLocal ? ': a page in a browser can reach this server under a name of its own' : ''}`,
        cure: `refuse it with 403: ${option}`,
        page: 'docs/serving.md#safety',
      };
    }
    const { status = 0 } = answer;
    if (!REFUSALS.includes(status) || status === control.status) return unknown(`it ${cameOf(look, answer)}`);
    return { id, verdict: 'ok', seen: `${what} is refused with HTTP ${status}` };
  };
  return [
    await check('host', { host: STRANGER }, 'allowedHosts of mcp-dual-era/serve, or hostHeaderValidation of SDK v1'),
    await check('origin', { origin: `${protocol}//${STRANGER}` }, 'allowedOrigins of mcp-dual-era/serve'),
  ];
}

type Came = RawAnswer | { readonly status?: number; readonly failure: unknown };

function cameOf(look: Look, came: Came): string {
  return 'failure' in came ? `gets no answer (${look.tell(came.failure, 80)})` : `is answered with HTTP ${came.status}`;
}

/** Never rejects. */
async function open(look: Look<HttpTarget>, era: Era, headers: Record<string, string>): Promise<Came> {
  // One of its own for each: a session would be taken for the same client.
  const peer = openRawHttp(look);
  try {
    if (era === 'modern') return await peer.ask('server/discover', claiming({}, MODERN_REVISION), headers);
    return await peer.ask('initialize', initializeParams(NEWEST_HANDSHAKE_REVISION), headers);
  } catch (failure) {
    return { failure };
  } finally {
    await peer.close();
  }
}
