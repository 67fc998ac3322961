/** Over HTTP: whether a page in a browser could reach the server under a name, or from a page, of its own. */

import { MODERN_REVISION, NEWEST_HANDSHAKE_REVISION } from '../../core/revision.ts';
import type { Era, Finding } from './model.ts';
import { claiming, initializeParams, openRawHttp, type RawAnswer, type RawPeer } from './raw-peer.ts';
import type { HttpTarget, Look } from './step.ts';

const STRANGER = 'mcp-dual-era-doctor.invalid';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** @param era - one that the server speaks. */
export async function checkNames(look: Look<HttpTarget>, era: Era): Promise<Finding[]> {
  const { hostname, protocol } = look.target.url;
  const isLocal = LOOPBACK.test(hostname);
  const check = async (id: 'host' | 'origin', headers: Record<string, string>, option: string): Promise<Finding> => {
    const what = `a request with the ${id === 'host' ? 'Host' : 'Origin'} of another ${id === 'host' ? 'name' : 'page'}`;
    const peer = openRawHttp(look);
    try {
      const answer = await open(peer, era, headers);
      if (answer.result === undefined) {
        return { id, verdict: 'ok', seen: `${what} is refused with HTTP ${answer.status ?? 0}` };
      }
      return {
        id,
        // What is public can be reached without a trick.
        verdict: isLocal ? 'problem' : 'warning',
        seen: `${what} is answered${id === 'host' && isLocal ? ': a page in a browser can reach this server under a name of its own' : ''}`,
        cure: `refuse it with 403: ${option}`,
        page: 'docs/serving.md#safety',
      };
    } catch (error) {
      return { id, verdict: 'ok', seen: `${what} gets no answer (${look.tell(error, 80)})` };
    } finally {
      await peer.close();
    }
  };
  return [
    await check('host', { host: STRANGER }, 'allowedHosts of mcp-dual-era/serve, or hostHeaderValidation of SDK v1'),
    await check('origin', { origin: `${protocol}//${STRANGER}` }, 'allowedOrigins of mcp-dual-era/serve'),
  ];
}

function open(peer: RawPeer, era: Era, headers: Record<string, string>): Promise<RawAnswer> {
  if (era === 'modern') return peer.ask('server/discover', claiming({}, MODERN_REVISION), headers);
  return peer.ask('initialize', initializeParams(NEWEST_HANDSHAKE_REVISION), headers);
}
