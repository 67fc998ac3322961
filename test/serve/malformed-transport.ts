import { type Cell, cell, inSession, list, plain } from './malformed-request.ts';

const header = (name: string, value: string | undefined) => list({ headers: { [name]: value } });
const bare = (method: string, headers = {}) => ({ method, headers });
const STREAM = { accept: 'text/event-stream' };
const BOTH = 'application/json, text/event-stream';

/** What comes before any message is looked at. */
export const TRANSPORT: readonly Cell[] = [
  cell('a host of somebody else', header('host', 'evil.example'), '403 json error -32000 id null'),
  cell('a host that is none', header('host', 'a b'), '403 json error -32000 id null'),
  cell('an origin of somebody else', header('origin', 'https://evil.example'), '403 json error -32000 id null'),
  cell('an origin null', header('origin', 'null'), '403 json error -32000 id null'),
  cell('an origin of loopback', header('origin', 'http://localhost:3000'), '200 json result id 1'),
  cell(
    'an origin of somebody else, without a claim',
    inSession(plain('tools/list'), { origin: 'https://evil.example' }),
    '403 json error -32000 id null',
  ),

  cell('no media type', header('content-type', undefined), '415 json error -32000 id null'),
  cell('plain text', header('content-type', 'text/plain'), '415 json error -32000 id null'),
  cell(
    'plain text in a session',
    inSession(plain('tools/list'), { 'content-type': 'text/plain' }),
    '415 json error -32000 id null',
  ),
  cell(
    'a media type that only begins so',
    header('content-type', 'application/json-rpc'),
    '415 json error -32000 id null',
  ),
  cell(
    'JSON named within plain text',
    header('content-type', 'text/plain; a=application/json'),
    '415 json error -32000 id null',
  ),
  cell('two media types', header('content-type', 'application/json, text/plain'), '415 json error -32000 id null'),
  cell('the media type in capitals', header('content-type', 'APPLICATION/JSON'), '200 json result id 1'),
  cell('a charset', header('content-type', 'application/json; charset=utf-8'), '200 json result id 1'),
  cell('a charset that is broken', header('content-type', 'application/json; charset'), '200 json result id 1'),
  cell('an empty media type', header('content-type', ''), '415 json error -32000 id null'),

  cell('no Accept', header('accept', undefined), '200 json result id 1'),
  cell('Accept of JSON alone', header('accept', 'application/json'), '200 json result id 1'),
  cell('Accept of event streams alone', header('accept', 'text/event-stream'), '200 json result id 1'),
  cell('Accept of anything', header('accept', '*/*'), '200 json result id 1'),
  cell('Accept of HTML', header('accept', 'text/html'), '200 json result id 1'),
  cell(
    'no Accept in a session',
    inSession(plain('tools/list'), { accept: undefined }),
    '406 json error -32000 id null',
  ),
  cell(
    'Accept of JSON alone in a session',
    inSession(plain('tools/list'), { accept: 'application/json' }),
    '406 json error -32000 id null',
  ),
  cell(
    'Accept of anything in a session',
    inSession(plain('tools/list'), { accept: '*/*' }),
    '406 json error -32000 id null',
  ),
  cell(
    'Accept in capitals in a session',
    inSession(plain('tools/list'), { accept: BOTH.toUpperCase() }),
    '406 json error -32000 id null',
  ),

  cell('PUT', bare('PUT'), '405 json error -32000 id null'),
  cell('PATCH with a message', { ...list(), method: 'PATCH' }, '405 json error -32000 id null'),
  cell('HEAD', bare('HEAD'), '405 json empty'),
  cell('OPTIONS', bare('OPTIONS'), '405 json error -32000 id null'),
  cell('GET', bare('GET'), '405 json error -32000 id null'),
  cell('GET of an event stream', bare('GET', STREAM), '405 json error -32000 id null'),
  cell(
    'GET of an event stream with the modern version',
    bare('GET', { ...STREAM, 'mcp-protocol-version': '2026-07-28' }),
    '405 json error -32000 id null',
  ),
  cell(
    'GET of an event stream of a session nobody has',
    bare('GET', { ...STREAM, 'mcp-session-id': 'nobody' }),
    '405 json error -32000 id null',
  ),
  cell(
    'GET of an event stream in a session',
    { ...bare('GET', STREAM), isInSession: true },
    '405 json error -32000 id null',
  ),
  cell(
    'GET of JSON in a session',
    { ...bare('GET', { accept: 'application/json' }), isInSession: true },
    '405 json error -32000 id null',
  ),
  cell('DELETE', bare('DELETE'), '405 json error -32000 id null'),
  cell(
    'DELETE with the modern version',
    bare('DELETE', { 'mcp-protocol-version': '2026-07-28' }),
    '405 json error -32000 id null',
  ),
  cell(
    'DELETE of a session nobody has',
    bare('DELETE', { 'mcp-session-id': 'nobody' }),
    '405 json error -32000 id null',
  ),
  cell('DELETE in a session', { ...bare('DELETE'), isInSession: true }, '405 json error -32000 id null'),
];
