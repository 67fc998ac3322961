// Programs on stdio in plain JavaScript, which start at once: what they do wrong is named by the first argument. Each
// process adds its id as a line to the file that the second one names.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [behaviour, pids] = process.argv.slice(2);
appendFileSync(pids, `${process.pid}\n`);

const write = (text) => process.stdout.write(`${text}\n`);
const send = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const ask = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };

/** A server of the handshake era that does nothing right. */
function odd() {
  let declared = {};
  write('Listening \u001b[31mon stdin\u202e');
  const answers = {
    initialize: ({ protocolVersion, capabilities }) => {
      declared = capabilities;
      const serverInfo = { name: 'odd\u001b]0;owned\u0007 server', version: 'v'.repeat(300) };
      return { protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo };
    },
    'tools/list': () => ({ tools: [tool('both'), ...('elicitation' in declared ? [tool('for\u0007 askers')] : [])] }),
    'resources/list': () => ({ resources: [{ uri: 'odd://hidden', name: 'hidden' }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  };
  let call;
  onMessage(({ id, method, params }) => {
    if (method === 'tools/call') {
      call = id;
      // Of everybody, whatever they declared.
      send({ id: 'q', method: 'elicitation/create', params: ask });
    } else if (id === 'q') send({ id: call, result: answers['tools/call']() });
    else if (method in answers) send({ id, result: answers[method](params) });
    else if (id !== undefined) send({ id, error: { code: -32603, message: 'broken\nline' } });
  });
  setInterval(() => undefined, 60_000);
}

/** A server with more tools than anybody wants, whose list never ends. */
function endless() {
  let page = 0;
  onMessage(({ id, method, params }) => {
    page += 1;
    if (method === 'initialize') {
      const { protocolVersion } = params;
      const serverInfo = { name: 'endless', version: '1' };
      send({
        id,
        result: {
          protocolVersion: protocolVersion.replace('2026-07-28', '2025-11-25'),
          capabilities: { tools: {} },
          serverInfo,
        },
      });
    } else if (method === 'tools/list') {
      send({
        id,
        result: { tools: Array.from({ length: 40 }, (_, n) => tool(`tool-${page}-${n}`)), nextCursor: 'on' },
      });
    } else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  });
}

function onMessage(take) {
  createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line)));
}

const flood = () => {
  while (process.stdout.write('x'.repeat(65_536)));
  process.stdout.once('drain', flood);
};
const behaviours = {
  odd,
  endless,
  flood,
  exits: () => {
    process.stderr.write('no configuration found\n');
    process.exitCode = 1;
  },
  garbage: () => onMessage(() => write('I am no server')),
  // Says when it is there, and when it is asked to end.
  asked: () => {
    process.on('SIGTERM', () => {
      appendFileSync(pids, 'asked\n');
      process.exit();
    });
    setInterval(() => undefined, 60_000);
    appendFileSync(pids, 'there\n');
  },
  hangs: () => {
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 60_000);
  },
};
behaviours[behaviour]();
