// A server of the handshake era on stdio in plain JavaScript, which does one thing wrong: the one that the first
// argument names. The second one is what tool `ask` asks of its client, and what it is answered with is its result.
import { createInterface } from 'node:readline';

const [behaviour, asked] = process.argv.slice(2);
const send = (message, end) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, end);
const die = (words, end) => process.stderr.write(`first\n${words}\n`, end);
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
let page = 0;
let isAsker = false;
let call;

/** Whose members are in another order for clients that can be asked, and differ in what the behaviour says. */
function ordered() {
  const differs = isAsker && behaviour !== 'orders';
  const files = differs && behaviour === 'schemas' ? { minimum: 2, type: 'integer' } : { type: 'integer', minimum: 1 };
  const vendor = { 'x.y': differs && behaviour === 'vendors' };
  const inputSchema = isAsker
    ? { properties: { files: { ...files } }, type: 'object' }
    : { type: 'object', properties: { files } };
  return isAsker ? { vendor, inputSchema, name: 'ask' } : { name: 'ask', inputSchema, vendor };
}

const methods = {
  initialize: ({ protocolVersion, capabilities }) => {
    isAsker = 'elicitation' in capabilities;
    const serverInfo = { name: 'handshake', version: '1' };
    protocolVersion = protocolVersion.replace('2026-07-28', '2025-11-25');
    return { protocolVersion, capabilities: { tools: {} }, serverInfo };
  },
  'tools/list': () => {
    page += 1;
    if (behaviour === 'long') {
      return { tools: Array.from({ length: 40 }, (_, n) => tool(`tool-${page}-${n}`)), nextCursor: `${page}` };
    }
    if (behaviour === 'pages') return { tools: [], nextCursor: `${page}` };
    if (['orders', 'schemas', 'vendors'].includes(behaviour)) return { tools: [ordered()] };
    return { tools: [tool('ask')] };
  },
};
const wrongs = {
  'exits-on-prompts': { 'prompts/list': () => die('out of\u001b[31m memory', () => process.exit(139)) },
  'dies-on-prompts': { 'prompts/list': () => process.kill(process.pid, 'SIGABRT') },
  'dies-in-calls': { 'tools/call': () => die('boom', () => process.exit(3)) },
  'exits-on-discover': { 'server/discover': () => process.exit(7) },
  'silent-on-discover': { 'server/discover': () => undefined },
  'ends-after-calls': { 'tools/call': (id) => send({ id, result: { content: [] } }, () => process.exit(0)) },
  'ends-after-opening': {
    initialize: (id, params) => send({ id, result: methods.initialize(params) }, () => process.exit(0)),
  },
  floods: { 'tools/call': () => process.stdout.write('x'.repeat(9 * 1024 * 1024)) },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  const wrong = wrongs[behaviour]?.[method];
  if (wrong !== undefined) wrong(id, params);
  else if (id === 'q') {
    send({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result ?? error.code) }] } });
  } else if (method === 'tools/call') {
    call = id;
    send({ id: 'q', method: asked, params: {} });
  } else if (method === 'notifications/initialized' && behaviour === 'asks-early') {
    send({ id: 'early', method: 'roots/list' });
  } else if (Object.hasOwn(methods, method ?? '')) send({ id, result: methods[method](params) });
  else if (id === 'early') process.stderr.write(`${JSON.stringify(result ?? error.code)}\n`, () => process.exit(1));
  else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});
