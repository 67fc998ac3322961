import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { createVectorServer } from './vector-server.ts';

const sdk = (process.argv[2] ?? 'newest') as SdkName;
const { StdioServerTransport } = sdkNamed(sdk);
await createVectorServer(sdk).connect(new StdioServerTransport());
