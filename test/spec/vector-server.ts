import { withInputRequiredShim } from 'mcp-dual-era';
import { createVectorServer as createPlainServer } from '../serve/vector-factory.ts';
import type { SdkName } from '../support/sdk.ts';

/** The server of vectors.json's `fixture`, on SDK v1, for the exchanges of the handshake era. */
export function createVectorServer(sdk: SdkName = 'newest') {
  return withInputRequiredShim(createPlainServer(sdk));
}
