/**
 * One question over Streamable HTTP. Bare asks on the stream of its call, as the shim does; the same on the GET stream,
 * and the same after one turn of the event loop, are printed beside it.
 */
import { compare, inFlight } from '../support/compare.ts';
import { deployed, FORM, question } from '../support/deploy.ts';
import type { Figure, Row } from '../support/figure.ts';
import { overHttp } from '../support/http.ts';
import { callDeploy } from '../support/in-memory.ts';
import { contentOf, createServer, createShimmed, type Deploy, deployAsking, deployBare } from '../support/servers.ts';

const bareOnItsStream: Deploy = async (service, extra, server) => {
  const params = { mode: 'form' as const, message: question(service), requestedSchema: FORM };
  const options = { signal: extra.signal, relatedRequestId: extra.requestId };
  return deployed(service, contentOf(await server.server.elicitInput(params, options)));
};

/** The first question as early as it can go out: the adapter would hold it back in the turn of the request. */
const bareAfterATurn: Deploy = async (service, extra, server) => {
  await new Promise((resolve) => setImmediate(resolve));
  return bareOnItsStream(service, extra, server);
};

export const row: Row = async ({ isQuick }) => {
  const bare = await overHttp(createServer(bareOnItsStream));
  const bareAgain = await overHttp(createServer(bareOnItsStream));
  const shim = await overHttp(createShimmed(deployAsking));
  const onGetStream = await overHttp(createServer(deployBare));
  const afterATurn = await overHttp(createServer(bareAfterATurn));

  const measure = (width: number, bound: number, calls: number): Promise<Figure> =>
    compare(
      { name: `one ask over Streamable HTTP / bare, ${width} in flight`, bound },
      {
        bare: inFlight(width, 'bare', () => callDeploy(bare.client)),
        bareAgain: inFlight(width, 'bare again', () => callDeploy(bareAgain.client)),
        shim: inFlight(width, 'shim', () => callDeploy(shim.client)),
        others: [
          inFlight(width, 'bare on the GET stream', () => callDeploy(onGetStream.client)),
          inFlight(width, 'bare that yields once before it asks', () => callDeploy(afterATurn.client)),
        ],
      },
      { turns: isQuick ? 10 : 50, warmUp: 4, slices: 4, calls, attempts: 3 },
    );
  const figures = [await measure(1, 0.6, 3), await measure(16, 1.15, 16)];
  await Promise.all([bare, bareAgain, shim, onGetStream, afterATurn].map((connection) => connection.close()));
  return figures;
};
