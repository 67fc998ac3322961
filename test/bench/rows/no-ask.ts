/** What the shim costs a call that asks nothing. */
import { compare } from '../support/compare.ts';
import { ANSWER, deployed } from '../support/deploy.ts';
import type { Row } from '../support/figure.ts';
import { inMemory } from '../support/in-memory.ts';
import { createServerV2 } from '../support/official-v2.ts';
import { createServer, createShimmed, type Deploy } from '../support/servers.ts';

const deploy: Deploy = (service) => deployed(service, ANSWER);

export const row: Row = async ({ isQuick }) => [
  await compare(
    { name: 'tools/call that asks nothing, wrapped / unwrapped', bound: 1.15 },
    {
      bare: await inMemory('unwrapped', createServer(deploy)),
      bareAgain: await inMemory('unwrapped again', createServer(deploy)),
      shim: await inMemory('wrapped', createShimmed(deploy)),
      others: [
        await inMemory(
          'official v2',
          createServerV2((service) => deployed(service, ANSWER)),
        ),
      ],
    },
    { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 60 },
  ),
];
