import { callTool, connectDualEra, pendingAsk, type Target } from 'mcp-dual-era/client';
import type { Json } from '../support/json.ts';
import { v1Client } from '../support/v1-clients.ts';

// A host in a process of its own, which ends when nothing is left to wait for. Its argument is JSON: the servers to go
// to, one after the other, and with `pending` the ask to answer. It prints what came of it as JSON.
interface Work {
  readonly targets: readonly (Target & Json)[];
  readonly pending?: Json;
}
const { targets, pending } = JSON.parse(process.argv[2] ?? '{}') as Work;
const results: unknown[] = [];
for (const target of targets) {
  const client = new (v1Client('newest').Client)({ name: 'host', version: '1' }, { capabilities: { elicitation: {} } });
  const { era } = await connectDualEra(client, target, { inputRequired: 'return' });
  if (pending === undefined) {
    const call = { name: 'ask', arguments: { to: 1 } };
    results.push({ era, pending: pendingAsk(await callTool(client, call)) });
  } else {
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    const { params, requestState } = pending as { params: { name: string; arguments: Json }; requestState: string };
    results.push({ era, result: await callTool(client, { ...params, inputResponses, requestState }) });
  }
  await client.close();
}
process.stdout.write(JSON.stringify(results));
