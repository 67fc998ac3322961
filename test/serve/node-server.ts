import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NodeServer {
  readonly url: URL;
  close(): Promise<void>;
}

/** Serves one handler of node:http on loopback, at a port of the system's choice. */
export async function listenNode(handle: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const http = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url, close } satisfies NodeServer;
}
