import {
  CAPABILITIES,
  type Cell,
  CLIENT_INFO,
  call,
  cell,
  inSession,
  LOG_LEVEL,
  list,
  plain,
  post,
  VERSION,
} from './malformed-request.ts';

const meta = (members: object) => list({ meta: members });
const wholeMeta = (_meta: unknown) => list({ params: { _meta } });
const claim = (version: unknown, header = String(version)) =>
  list({ meta: { [VERSION]: version }, headers: { 'mcp-protocol-version': header } });
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const NO_HEADERS = { 'mcp-protocol-version': undefined, 'mcp-method': undefined, 'mcp-name': undefined };

export const ENVELOPES: readonly Cell[] = [
  cell('no version', meta({ [VERSION]: undefined }), '400 json error -32602 id 1'),
  cell(
    'no version and no headers',
    list({ meta: { [VERSION]: undefined }, headers: NO_HEADERS }),
    '200 sse result id 1',
  ),
  cell('no capabilities', meta({ [CAPABILITIES]: undefined }), '400 json error -32602 id 1'),
  cell('capabilities null', meta({ [CAPABILITIES]: null }), '400 json error -32602 id 1'),
  cell('capabilities as a list', meta({ [CAPABILITIES]: [] }), '400 json error -32602 id 1'),
  cell('capabilities as a string', meta({ [CAPABILITIES]: 'all' }), '400 json error -32602 id 1'),
  cell('capabilities true', meta({ [CAPABILITIES]: true }), '400 json error -32602 id 1'),
  cell('a capability that is no object', meta({ [CAPABILITIES]: { elicitation: true } }), '400 json error -32602 id 1'),
  cell('a capability that is null', meta({ [CAPABILITIES]: { sampling: null } }), '400 json error -32602 id 1'),
  cell(
    'a mode that is no object',
    meta({ [CAPABILITIES]: { elicitation: { form: true } } }),
    '400 json error -32602 id 1',
  ),
  cell('a capability nobody knows', meta({ [CAPABILITIES]: { flying: { high: true } } }), '200 json result id 1'),
  cell(
    'the tasks of 2025-11-25 as a capability',
    meta({ [CAPABILITIES]: { tasks: { list: {} } } }),
    '200 json result id 1',
  ),
  cell('client info null', meta({ [CLIENT_INFO]: null }), '400 json error -32602 id 1'),
  cell('client info as a string', meta({ [CLIENT_INFO]: 'me' }), '400 json error -32602 id 1'),
  cell('client info without a version', meta({ [CLIENT_INFO]: { name: 'me' } }), '400 json error -32602 id 1'),
  cell(
    'client info with a name that is no string',
    meta({ [CLIENT_INFO]: { name: 1, version: '1' } }),
    '400 json error -32602 id 1',
  ),
  cell('an unknown log level', meta({ [LOG_LEVEL]: 'loud' }), '400 json error -32602 id 1'),
  cell('a log level that is no string', meta({ [LOG_LEVEL]: 3 }), '400 json error -32602 id 1'),
  cell('a log level null', meta({ [LOG_LEVEL]: null }), '400 json error -32602 id 1'),
  cell('a progress token that is an object', meta({ progressToken: {} }), '400 json error -32600 id 1'),
  cell('a progress token null', meta({ progressToken: null }), '400 json error -32600 id 1'),
  cell('a trace parent that is no string', meta({ traceparent: 1 }), '200 json result id 1'),
  cell('_meta null', wholeMeta(null), '400 json error -32600 id 1'),
  cell('_meta as a list', wholeMeta([]), '400 json error -32600 id 1'),
  cell('_meta as a string', wholeMeta('x'), '400 json error -32600 id 1'),
  cell('_meta missing', wholeMeta(undefined), '400 json error -32602 id 1'),
  cell('_meta without members', wholeMeta({}), '400 json error -32602 id 1'),
  cell('_meta null in a session', inSession(plain('tools/list', { _meta: null })), '400 json error -32600 id 1'),
  cell('_meta as a list in a session', inSession(plain('tools/list', { _meta: [] })), '400 json error -32600 id 1'),

  cell('a claim null', claim(null, '2026-07-28'), '400 json error -32602 id 1'),
  cell(
    'a claim null, without headers',
    list({ meta: { [VERSION]: null }, headers: NO_HEADERS }),
    '400 json error -32602 id 1',
  ),
  cell('a claim as a number', claim(20260728, '2026-07-28'), '400 json error -32602 id 1'),
  cell('an empty claim', claim('', '2026-07-28'), '400 json error -32020 id 1'),
  cell('a claim as a list', claim(['2026-07-28'], '2026-07-28'), '400 json error -32602 id 1'),
  cell('a claim of an unknown revision', claim('2099-01-01'), '400 json error -32022 id 1'),
  cell(
    'a claim of an unknown revision, without headers',
    list({ meta: { [VERSION]: '2099-01-01' }, headers: NO_HEADERS }),
    '400 json error -32022 id 1',
  ),
  cell('a claim of 2025-11-25', claim('2025-11-25'), '400 json error -32022 id 1'),
  cell(
    'a claim of 2025-11-25, without headers',
    list({ meta: { [VERSION]: '2025-11-25' }, headers: NO_HEADERS }),
    '400 json error -32022 id 1',
  ),
  cell(
    'a claim of 2025-11-25 under a header of 2026-07-28',
    claim('2025-11-25', '2026-07-28'),
    '400 json error -32020 id 1',
  ),
  cell(
    'a claim of 2026-07-28 under a header of 2099-01-01',
    claim('2026-07-28', '2099-01-01'),
    '400 json error -32020 id 1',
  ),
  cell('a claim of zzz', claim('zzz'), '400 json error -32022 id 1'),
  cell('a claim with a blank', claim('2026-07-28 ', '2026-07-28'), '400 json error -32020 id 1'),
  cell(
    'a claim of another revision with broken capabilities',
    list({ meta: { [VERSION]: '2099-01-01', [CAPABILITIES]: 1 }, headers: { 'mcp-protocol-version': '2099-01-01' } }),
    '400 json error -32602 id 1',
  ),
  cell('a claim within a session', { ...list(), isInSession: true }, '200 json result id 1'),
  cell(
    'a broken claim within a session',
    { ...meta({ [CAPABILITIES]: null }), isInSession: true },
    '400 json error -32602 id 1',
  ),

  cell('initialize with a claim', call('initialize', opening), '404 json error -32601 id 1'),
  cell(
    'initialize with a broken claim',
    call('initialize', opening, { meta: { [CAPABILITIES]: 1 }, headers: NO_HEADERS }),
    '200 sse result id 1',
  ),
  cell(
    'initialize with a claim of 2025-11-25',
    call('initialize', opening, { meta: { [VERSION]: '2025-11-25' }, headers: NO_HEADERS }),
    '200 sse result id 1',
  ),
  cell(
    'initialize with a broken claim under the modern header',
    call('initialize', opening, { meta: { [CAPABILITIES]: 1 } }),
    '400 json error -32020 id 1',
  ),
  cell(
    'initialize under the modern header',
    post(JSON.stringify(plain('initialize', opening)), { 'mcp-protocol-version': '2026-07-28' }),
    '400 json error -32020 id 1',
  ),
  cell(
    'initialize that asks for 2026-07-28',
    post(JSON.stringify(plain('initialize', { ...opening, protocolVersion: '2026-07-28' }))),
    '200 sse result id 1',
  ),
  cell('initialize that asks for nothing', post(JSON.stringify(plain('initialize'))), '200 sse error -32603 id 1'),
  cell(
    'initialize that asks for a number',
    post(JSON.stringify(plain('initialize', { ...opening, protocolVersion: 1 }))),
    '200 sse error -32603 id 1',
  ),
  cell(
    'initialize without client info',
    post(JSON.stringify(plain('initialize', { ...opening, clientInfo: undefined }))),
    '200 sse error -32603 id 1',
  ),
  cell(
    'initialize with capabilities that are a list',
    post(JSON.stringify(plain('initialize', { ...opening, capabilities: [] }))),
    '200 sse error -32603 id 1',
  ),
  cell(
    'initialize with a capability that is true',
    post(JSON.stringify(plain('initialize', { ...opening, capabilities: { elicitation: true } }))),
    '200 sse error -32603 id 1',
  ),
  cell(
    'initialize as a notification',
    post(JSON.stringify({ jsonrpc: '2.0', method: 'initialize', params: opening })),
    '202 empty',
  ),
  cell('a second initialize in a session', inSession(plain('initialize', opening)), '200 sse result id 1'),
];
