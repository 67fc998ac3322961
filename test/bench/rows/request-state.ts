/** One question with a state beside it, which a handshake connection keeps in the process. */
import assert from 'node:assert/strict';
import { inputContext, inputRequired } from 'mcp-dual-era';
import { compare } from '../support/compare.ts';
import { deployed, FORM, question } from '../support/deploy.ts';
import type { Row } from '../support/figure.ts';
import { inMemory } from '../support/in-memory.ts';
import { createServer, createShimmed, type Deploy, deployBare } from '../support/servers.ts';

interface State {
  readonly step: number;
  readonly plan: { readonly service: string; readonly from: string; readonly to: string };
}

const asking: Deploy = (service, extra) => {
  const context = inputContext(extra);
  const content = context.accepted('form');
  if (content !== undefined) {
    assert.equal(context.requestState<State>()?.plan.service, service);
    return deployed(service, content);
  }
  const requestState: State = { step: 1, plan: { service, from: '2.3.0', to: '2.4.0' } };
  return inputRequired({
    requestState,
    inputRequests: { form: inputRequired.elicit({ message: question(service), requestedSchema: FORM }) },
  });
};

export const row: Row = async ({ isQuick }) => [
  await compare(
    { name: 'round with requestState / bare', bound: 1.5 },
    {
      bare: await inMemory('bare', createServer(deployBare)),
      bareAgain: await inMemory('bare again', createServer(deployBare)),
      shim: await inMemory('shim', createShimmed(asking)),
    },
    { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 15 },
  ),
];
