// A server on stdio in plain JavaScript, which starts at once: it does what its first argument says. Each process of it
// adds its id as a line to the file that the second argument names.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [behaviour = '', pids = ''] = process.argv.slice(2);
if (pids !== '') appendFileSync(pids, `${process.pid}\n`);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const complete = { resultType: 'complete' };
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const serverInfo = { name: 'scripted', version: '1' };
const form = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
};

function handshake({ id, method, params }) {
  const capabilities = { tools: {} };
  if (method === 'initialize') {
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } });
  } else if (method === 'tools/call') send({ id, result: text('hello') });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
}

function modern({ id, method, params }) {
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  const cache = { ttlMs: 0, cacheScope: 'private' };
  if (method === 'server/discover') {
    const capabilities = { tools: {} };
    send({ id, result: { ...complete, ...cache, supportedVersions: ['2026-07-28'], capabilities, _meta } });
  } else if (method === 'notifications/cancelled') {
    send({ method: 'notifications/message', params: { level: 'info', data: 'cancelled' } });
  } else if (method !== 'tools/call') {
    if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  } else if (params.name === 'die' || 'inputResponses' in params) process.exit(3);
  else if (params.name === 'hang')
    send({ method: 'notifications/message', params: { level: 'info', data: 'hanging' } });
  else if (params.name === 'ask') {
    send({
      id,
      result: { resultType: 'input_required', inputRequests: { who: form }, requestState: 'a-secret-state' },
    });
  } else send({ id, result: { ...complete, ...text('hello') } });
}

const behaviours = {
  modern,
  handshake,
  // As servers that know no message before the handshake.
  'silent-before-handshake': (message) => message.method === 'server/discover' || handshake(message),
  'exits-before-handshake': (message) => (message.method === 'server/discover' ? process.exit(1) : handshake(message)),
  'exits-at-handshake': (message) => (message.method === 'initialize' ? process.exit(1) : handshake(message)),
  silent: () => undefined,
  'no-json': () => process.stdout.write('I am no server\n'),
};
const behave = behaviours[behaviour];
createInterface({ input: process.stdin }).on('line', (line) => behave(JSON.parse(line)));
// Some servers do not end with their stdin.
if (behaviour === 'silent') setInterval(() => undefined, 60_000);
