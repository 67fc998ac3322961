import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as OldestClient } from 'sdk-v1-oldest/client/index.js';
import { StdioClientTransport as OldestStdioClientTransport } from 'sdk-v1-oldest/client/stdio.js';
import { StreamableHTTPClientTransport as OldestHttpClientTransport } from 'sdk-v1-oldest/client/streamableHttp.js';
import type { SdkName } from './sdk.ts';

const newest = { Client, StdioClientTransport, StreamableHTTPClientTransport };

// One type for both, as in sdk.ts.
const oldest = {
  Client: OldestClient,
  StdioClientTransport: OldestStdioClientTransport,
  StreamableHTTPClientTransport: OldestHttpClientTransport,
} as unknown as typeof newest;

/** The client's side of the two ends of the supported range of SDK v1. */
export function v1Client(name: SdkName): typeof newest {
  return name === 'newest' ? newest : oldest;
}
