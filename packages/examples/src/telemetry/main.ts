/** Plays three calls, prints what came of them, what Prometheus sees, and the spans, and ends. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createPerson } from './person.ts';
import { spans } from './sdk.ts';
import { handler, http } from './server.ts';

http.listen(0, '127.0.0.1');
await once(http, 'listening');
const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

const client = createPerson();
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)) as Transport);
// The trace that the client's own call would be in, had it a tracer.
const _meta = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
for (const environment of ['staging', 'production', 'staging']) {
  const result = await client.callTool({ name: 'deploy', arguments: { environment }, _meta });
  console.log((result.content as { text: string }[])[0]?.text);
}

const page = await (await fetch(new URL('/metrics', origin))).text();
const lines = page.split('\n').filter((line) => line.startsWith('mcp_dual_era_') && !line.includes('_bucket'));
console.log(['', ...lines, ''].join('\n'));

for (const { name, attributes, parentSpanContext } of spans.getFinishedSpans()) {
  console.log(`${parentSpanContext?.spanId} > ${name}: ${attributes['mcp_dual_era.outcome']}`);
}

await client.close();
await handler.close();
http.close();
http.closeAllConnections();
