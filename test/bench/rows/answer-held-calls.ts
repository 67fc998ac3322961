/** Many sessions, each with a call that waits; then everybody answers. SDK v1 compiles a validator in each of them. */
import { type Contender, compare, type Length } from '../support/compare.ts';
import type { Row } from '../support/figure.ts';
import { ScriptedPeer } from '../support/scripted-peer.ts';
import { createServer, createShimmed, type Deploy, deployAsking, deployBare } from '../support/servers.ts';

/** A contender with one held call on each of `sessions` connections: every run answers the next ones. */
async function holding(
  name: string,
  create: typeof createServer,
  deploy: Deploy,
  sessions: number,
): Promise<Contender> {
  const peers: ScriptedPeer[] = [];
  for (let made = 0; made < sessions; made += 1) {
    const peer = await ScriptedPeer.connect(create(deploy));
    await peer.hold(1);
    peers.push(peer);
  }
  let next = 0;
  return {
    name,
    async run(calls) {
      const answering = peers.slice(next, next + calls);
      next += calls;
      if (answering.length !== calls) throw new Error('No held call is left to answer');
      await Promise.all(answering.map((peer) => peer.release()));
    },
  };
}

export const row: Row = async ({ isQuick }) => {
  const length: Length = { turns: isQuick ? 9 : 48, warmUp: 2, slices: 2, calls: 100, attempts: 1, seconds: 120 };
  const sessions = (length.turns + length.warmUp) * length.slices * length.calls;
  return [
    await compare(
      { name: 'answering 10 000 held calls on 10 000 sessions / bare', bound: 0.2 },
      {
        bare: await holding('bare', createServer, deployBare, sessions),
        bareAgain: await holding('bare again', createServer, deployBare, sessions),
        shim: await holding('shim', createShimmed, deployAsking, sessions),
      },
      length,
    ),
  ];
};
