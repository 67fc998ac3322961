import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport as OldestInMemoryTransport } from 'sdk-v1-oldest/inMemory.js';
import { Server as OldestServer } from 'sdk-v1-oldest/server/index.js';
import { McpServer as OldestMcpServer, ResourceTemplate as OldestResourceTemplate } from 'sdk-v1-oldest/server/mcp.js';
import { StdioServerTransport as OldestStdioServerTransport } from 'sdk-v1-oldest/server/stdio.js';
import { StreamableHTTPServerTransport as OldestHttpTransport } from 'sdk-v1-oldest/server/streamableHttp.js';
import * as oldestTypes from 'sdk-v1-oldest/types.js';

const newest = {
  InMemoryTransport,
  McpServer,
  ResourceTemplate,
  Server,
  StdioServerTransport,
  StreamableHTTPServerTransport,
  types,
};

export type Sdk = typeof newest;

/** The two ends of the supported range of SDK v1. */
export type SdkName = 'newest' | 'oldest';

export const SDK_VERSIONS: Record<SdkName, string> = { newest: '1.32.2', oldest: '1.25.0' };

// One type for both: the classes differ in private members only, which no test touches.
const oldest = {
  InMemoryTransport: OldestInMemoryTransport,
  McpServer: OldestMcpServer,
  ResourceTemplate: OldestResourceTemplate,
  Server: OldestServer,
  StdioServerTransport: OldestStdioServerTransport,
  StreamableHTTPServerTransport: OldestHttpTransport,
  types: oldestTypes,
} as unknown as Sdk;

export function sdkNamed(name: SdkName): Sdk {
  return name === 'newest' ? newest : oldest;
}
