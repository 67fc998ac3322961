import { type SdkName, sdkNamed } from '../support/sdk.ts';
import { createInteropServer } from './interop-server.ts';

const sdk = (process.argv[2] ?? 'newest') as SdkName;
const { StdioServerTransport } = sdkNamed(sdk);
await createInteropServer(sdk).connect(new StdioServerTransport());
