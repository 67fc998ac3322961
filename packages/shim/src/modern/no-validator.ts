/** A validator for products of the engine. */
import type { ServerOptions } from '@modelcontextprotocol/server';

// Never asked: what goes through here has been checked by SDK v1. A validator of the engine's own takes 0.1 ms to make.
export const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => {
    throw new Error('The bridge validates nothing');
  },
};
