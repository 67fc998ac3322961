/**
 * SDK v1's own Streamable HTTP transport: all that is used of SDK v1 at run time, beside the clients of the doctor
 * (command/doctor/sdk-clients.ts). Which copy of it that is makes no difference: nothing tests for its class, and the
 * server of the factory takes any transport.
 */
export { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
