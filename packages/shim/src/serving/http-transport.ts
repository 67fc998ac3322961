/**
 * SDK v1's own Streamable HTTP transport: all that is used of SDK v1 at run time. Which copy of it that is makes no
 * difference: nothing tests for its class, and the server of the factory takes any transport.
 */
export { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
