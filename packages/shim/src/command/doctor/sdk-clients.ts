/** The clients of both SDKs, loaded when they are needed: the rest of the command must not wait for them, nor need them. */

import type { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface SdkV1 {
  readonly Client: typeof ClientV1;
  readonly HttpTransport: typeof HttpV1;
  /** Takes any result. */
  readonly anyResult: Parameters<ClientV1['request']>[1];
  readonly errorOf: (code: number, message: string) => Error;
}

export interface SdkV2 {
  readonly Client: typeof ClientV2;
  readonly HttpTransport: typeof HttpV2;
}

export interface SdkLoader {
  v1(): Promise<SdkV1>;
  v2(): Promise<SdkV2>;
}

/** A package is not there. The message says how to come by it. */
export class PackageMissing extends Error {}

export const sdkLoader: SdkLoader = {
  async v1() {
    const [client, http, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return {
      Client: client.Client,
      HttpTransport: http.StreamableHTTPClientTransport,
      anyResult: types.ResultSchema,
      errorOf: (code, message) => new types.McpError(code, message),
    };
  },
  async v2() {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    return { Client, HttpTransport: StreamableHTTPClientTransport };
  },
};

/** @throws PackageMissing when `name` is not there; what else is wrong with it is thrown as it is. */
export async function loaded<Sdk>(name: string, load: () => Promise<Sdk>): Promise<Sdk> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as { code?: unknown }).code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new PackageMissing(`the package ${name} is missing: npx -p mcp-dual-era -p ${name} mcp-dual-era doctor ...`, {
      cause,
    });
  }
}
