import {
  type Cell,
  call,
  cell,
  echo,
  inSession,
  list,
  MODERN_HEADERS,
  modernBody,
  plain,
  post,
} from './malformed-request.ts';

const MIB = 1024 * 1024;
const ECHO_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
const echoBody = (text: string): string => modernBody('tools/call', { name: 'echo', arguments: { text } });
const padded = (size: number): string => modernBody('tools/list').padEnd(size);
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const nested = (depth: number): string =>
  echoBody('x').replace('"text":"x"', `"text":"x","deep":${'['.repeat(depth)}${']'.repeat(depth)}`);
const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const [half, otherHalf] = [
  Buffer.from(echoBody('gr\u00fcn')).subarray(0, 77),
  Buffer.from(echoBody('gr\u00fcn')).subarray(77),
];

export const BODIES: readonly Cell[] = [
  cell('an empty body', post(''), '400 json error -32700 id null'),
  cell('no body at all', post(undefined), '400 json error -32700 id null'),
  cell('an empty body with the headers of the modern era', post('', MODERN_HEADERS), '400 json error -32700 id null'),
  cell('a body of blanks', post(' \n '), '400 json error -32700 id null'),
  cell('text that is not JSON', post('hello'), '400 json error -32700 id null'),
  cell(
    'text that is not JSON, with the headers of the modern era',
    post('hello', MODERN_HEADERS),
    '400 json error -32700 id null',
  ),
  cell('text that is not JSON, in a session', inSession('hello'), '400 json error -32700 id null'),
  cell(
    'a truncated message',
    post(modernBody('tools/list').slice(0, -9), MODERN_HEADERS),
    '400 json error -32700 id null',
  ),
  cell(
    'a message with more text after it',
    post(`${modernBody('tools/list')}}`, MODERN_HEADERS),
    '400 json error -32700 id null',
  ),
  cell(
    'two messages in one body',
    post(`${modernBody('tools/list')}\n${modernBody('tools/list')}`, MODERN_HEADERS),
    '400 json error -32700 id null',
  ),
  cell(
    'a byte order mark before a message',
    post(`\ufeff${modernBody('tools/list')}`, MODERN_HEADERS),
    '200 json result id 1',
  ),
  cell(
    'a message in UTF-16',
    post(Buffer.from(modernBody('tools/list'), 'utf16le'), MODERN_HEADERS),
    '400 json error -32700 id null',
  ),
  cell('invalid UTF-8 in a string', post(bytes(echoBody('\xff')), ECHO_HEADERS), '200 json result id 1'),
  cell(
    'invalid UTF-8 outside of strings',
    post(bytes(`\xff${echoBody('x')}`), ECHO_HEADERS),
    '400 json error -32700 id null',
  ),
  cell(
    'a lone surrogate in a string',
    post(echoBody('x').replace('"x"', '"\\ud800"'), ECHO_HEADERS),
    '200 json result id 1',
  ),
  cell('a NUL byte', post('\0'), '400 json error -32700 id null'),
  cell('null', post('null'), '400 json error -32600 id null'),
  cell('a number', post('42'), '400 json error -32600 id null'),
  cell('a string', post('"tools/list"'), '400 json error -32600 id null'),
  cell('true', post('true', MODERN_HEADERS), '400 json error -32600 id null'),
  cell('an object without members', post('{}'), '400 json error -32600 id null'),
  cell('nesting of 400 levels', post(nested(400), ECHO_HEADERS), '200 json result id 1'),
  cell('nesting of 10 000 levels', post(nested(10_000), ECHO_HEADERS), '200 json result id 1'),
  cell('nesting of 1 000 000 levels', post(nested(1_000_000), ECHO_HEADERS), '200 json result id 1'),
  cell(
    'a number beyond all numbers',
    post(echoBody('x').replace('"x"', '1e400'), ECHO_HEADERS),
    '200 json isError id 1',
  ),
  cell(
    'a member twice',
    post(modernBody('tools/list').replace('"id":1', '"id":1,"id":2'), MODERN_HEADERS),
    '200 json result id 2',
  ),
  cell(
    'a member named __proto__',
    post(echoBody('x').replace('{', '{"__proto__":{"id":7},'), ECHO_HEADERS),
    '400 json error -32600 id 1',
  ),

  cell('jsonrpc missing', list({ message: { jsonrpc: undefined } }), '400 json error -32600 id 1'),
  cell('jsonrpc 1.0', list({ message: { jsonrpc: '1.0' } }), '400 json error -32600 id 1'),
  cell('jsonrpc as a number', list({ message: { jsonrpc: 2 } }), '400 json error -32600 id 1'),
  cell('no method', list({ message: { method: undefined } }), '400 json error -32600 id null'),
  cell('a method that is no string', list({ message: { method: 42 } }), '400 json error -32600 id null'),
  cell('a method that is empty', call('', {}), '404 json error -32601 id 1'),
  cell('a member that JSON-RPC does not know', list({ message: { more: true } }), '400 json error -32600 id 1'),
  cell('a result beside the method', list({ message: { result: {} } }), '400 json error -32600 id 1'),
  cell('id null', list({ message: { id: null } }), '400 json error -32600 id null'),
  cell('id null, without a claim', inSession({ ...plain('tools/list'), id: null }), '400 json error -32600 id null'),
  cell('an id with a fraction', list({ message: { id: 1.5 } }), '400 json error -32600 id 1.5'),
  cell('an id that is an object', list({ message: { id: {} } }), '400 json error -32600 id null'),
  cell('an id that is a list', list({ message: { id: [1] } }), '400 json error -32600 id null'),
  cell('an id that is true', list({ message: { id: true } }), '400 json error -32600 id null'),
  cell('an id that is empty', list({ message: { id: '' } }), '200 json result id ""'),
  cell('id 0', list({ message: { id: 0 } }), '200 json result id 0'),
  cell('a negative id', list({ message: { id: -1 } }), '200 json result id -1'),
  cell(
    'an id above the safe integers',
    list({ message: { id: 2 ** 53 + 2 } }),
    '400 json error -32600 id 9007199254740994',
  ),
  cell(
    'an id beyond all numbers',
    post(modernBody('tools/list').replace('"id":1', '"id":1e400'), MODERN_HEADERS),
    '400 json error -32600 id null',
  ),
  cell('an id of 300 letters', list({ message: { id: 'i'.repeat(300) } }), '200 json result id "iiiiiiiiiiiiiiiiiii'),

  cell('params that are a list', list({ message: { params: [] } }), '400 json error -32600 id 1'),
  cell(
    'params that are a list, in a session',
    inSession({ ...plain('tools/list'), params: [] }),
    '400 json error -32600 id 1',
  ),
  cell('params that are null', list({ message: { params: null } }), '400 json error -32600 id 1'),
  cell('params that are a string', list({ message: { params: 'x' } }), '400 json error -32600 id 1'),
  cell('no params', list({ message: { params: undefined } }), '400 json error -32602 id 1'),

  cell('a body of exactly 4 MiB', post(padded(4 * MIB), MODERN_HEADERS), '200 json result id 1'),
  cell(
    'a body of one byte more',
    { ...post(padded(4 * MIB + 1), MODERN_HEADERS), isUnfinished: true },
    '413 json error -32000 id null',
  ),
  cell(
    'a length of 5 MiB, announced',
    { ...post(undefined, { ...MODERN_HEADERS, 'content-length': String(5 * MIB) }), isUnfinished: true },
    '413 json error -32000 id null',
  ),
  cell('a body in two chunks, cut within a letter', post([half, otherHalf], ECHO_HEADERS), '200 json result id 1'),
  cell(
    'a content encoding that the body does not have',
    echo({ headers: { 'content-encoding': 'gzip' } }),
    '200 json result id 1',
  ),

  cell('an empty batch', post('[]'), '400 json error -32600 id null'),
  cell('an empty batch in a session', inSession([]), '400 json error -32600 id null'),
  cell(
    'a batch of one request with a claim',
    post(`[${modernBody('tools/list')}]`, MODERN_HEADERS),
    '400 json error -32600 id null',
  ),
  cell('a batch with a claim, without headers', post(`[${modernBody('tools/list')}]`), '400 json error -32600 id null'),
  cell(
    'a batch of both eras',
    post(`[${JSON.stringify(plain('tools/list'))},${modernBody('tools/list')}]`),
    '400 json error -32600 id null',
  ),
  cell(
    'a batch of both eras in a session',
    inSession(`[{"jsonrpc":"2.0","method":"x"},${modernBody('ping')}]`),
    '400 json error -32600 id null',
  ),
  cell('a batch in a batch', post(`[[${JSON.stringify(plain('tools/list'))}]]`), '400 json error -32600 id null'),
  cell('a batch of null', post('[null]'), '400 json error -32600 id null'),
  cell('a batch of numbers in a session', inSession('[1, 2]'), '400 json error -32600 id null'),
  cell(
    'a batch with the headers of the modern era',
    post(JSON.stringify([plain('tools/list')]), MODERN_HEADERS),
    '400 json error -32000 id null',
  ),
  cell('a batch with an id twice in a session', inSession([plain('ping'), plain('ping')]), '200 sse result id 1'),
  cell('a batch in a session', inSession([plain('tools/list')]), '200 sse result id 1'),
  cell(
    'a batch of notifications in a session',
    inSession([{ jsonrpc: '2.0', method: 'notifications/x' }]),
    '202 empty',
  ),
  cell(
    'a batch with an initialize',
    post(JSON.stringify([plain('initialize', OPENING), { ...plain('tools/list'), id: 2 }])),
    '400 json error -32600 id null',
  ),
  cell(
    'a batch of 101 requests in a session',
    inSession(Array.from({ length: 101 }, (_, id) => ({ ...plain('ping'), id }))),
    '400 json error -32600 id null',
  ),
];
