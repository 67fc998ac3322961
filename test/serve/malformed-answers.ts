import {
  ask,
  CAPABILITIES,
  type Cell,
  call,
  cell,
  inSession,
  list,
  modernBody,
  post,
  VERSION,
} from './malformed-request.ts';

const response = (members: object) => ({ jsonrpc: '2.0', id: 'leg', ...members });
const MODERN = { 'mcp-protocol-version': '2026-07-28' };
const notify = (method: string, meta: object = {}, headers: object = {}) =>
  call(method, {}, { meta, headers: headers as never, message: { id: undefined } });

/** What a client gives back, and what it tells. */
export const ANSWERS: readonly Cell[] = [
  cell('a state null', ask({ requestState: null }), '200 json error -32602 id 1'),
  cell('a state that is a number', ask({ requestState: 1 }), '200 json error -32602 id 1'),
  cell('a state that is an object', ask({ requestState: {} }), '200 json error -32602 id 1'),
  cell('a state that is a list', ask({ requestState: ['v1.'] }), '200 json error -32602 id 1'),
  cell('a state that is true', ask({ requestState: true }), '200 json error -32602 id 1'),
  cell('a state that is empty', ask({ requestState: '' }), '200 json error -32602 id 1'),
  cell('a state nobody sealed', ask({ requestState: 'v1.nobody' }), '200 json error -32602 id 1'),
  cell(
    'a state for a tool that takes none',
    call('tools/call', { name: 'echo', arguments: { text: 'x' }, requestState: 'x' }),
    '200 json error -32602 id 1',
  ),
  cell('a state for a list', list({ params: { requestState: 'x' } }), '200 json result id 1'),
  cell('answers null', ask({ inputResponses: null }), '200 json ask id 1'),
  cell('answers that are a list', ask({ inputResponses: [] }), '200 json ask id 1'),
  cell('answers that are a string', ask({ inputResponses: 'who' }), '200 json ask id 1'),
  cell('answers that are a number', ask({ inputResponses: 1 }), '200 json ask id 1'),
  cell('no answer at all', ask({ inputResponses: {} }), '200 json ask id 1'),
  cell('an answer null', ask({ inputResponses: { who: null } }), '200 json ask id 1'),
  cell('an answer that is a number', ask({ inputResponses: { who: 1 } }), '200 json ask id 1'),
  cell('an answer that is a list', ask({ inputResponses: { who: [] } }), '200 json ask id 1'),
  cell('an answer without members', ask({ inputResponses: { who: {} } }), '200 json ask id 1'),
  cell(
    'an answer with an action nobody knows',
    ask({ inputResponses: { who: { action: 'maybe' } } }),
    '200 json ask id 1',
  ),
  cell(
    'an answer in the form of a message',
    ask({ inputResponses: { who: { method: 'elicitation/create', result: {} } } }),
    '200 json ask id 1',
  ),
  cell('an answer nobody asked for', ask({ inputResponses: { other: { action: 'accept' } } }), '200 json ask id 1'),
  cell('answers for a list', list({ params: { inputResponses: 1 } }), '200 json result id 1'),
  cell(
    'an ask of who cannot be asked',
    call('tools/call', { name: 'ask_name', arguments: {} }),
    '400 json error -32021 id 1',
  ),
  cell(
    'a form for who can only open addresses',
    call('tools/call', { name: 'ask_name', arguments: {} }, { meta: { [CAPABILITIES]: { elicitation: { url: {} } } } }),
    '400 json error -32021 id 1',
  ),
  cell(
    'an address for who has only forms',
    call('tools/call', { name: 'connect', arguments: {} }, { meta: { [CAPABILITIES]: { elicitation: {} } } }),
    '400 json error -32021 id 1',
  ),

  cell('a posted result', post(JSON.stringify(response({ result: {} }))), '202 empty'),
  cell('a posted result in a session', inSession(response({ result: {} })), '202 empty'),
  cell(
    'a posted result with the modern version',
    post(JSON.stringify(response({ result: {} })), MODERN),
    '400 json error -32000 id null',
  ),
  cell('a posted error in a session', inSession(response({ error: { code: -1, message: 'no' } })), '202 empty'),
  cell(
    'a posted error without a code',
    inSession(response({ error: { message: 'no' } })),
    '400 json error -32600 id null',
  ),
  cell('a posted result without an id', inSession({ jsonrpc: '2.0', result: {} }), '400 json error -32600 id null'),
  cell(
    'a posted result that is also an error',
    inSession(response({ result: {}, error: { code: -1, message: 'no' } })),
    '400 json error -32600 id null',
  ),

  cell('a cancellation with a claim', notify('notifications/cancelled'), '202 empty'),
  cell('a notification nobody knows', notify('notifications/nope'), '202 empty'),
  cell(
    'a notification without headers',
    notify('notifications/nope', {}, { 'mcp-protocol-version': undefined, 'mcp-method': undefined }),
    '202 empty',
  ),
  cell(
    'a notification without a claim, with the modern version',
    post('{"jsonrpc":"2.0","method":"notifications/nope"}', MODERN),
    '202 empty',
  ),
  cell(
    'a notification under another method',
    notify('notifications/nope', {}, { 'mcp-method': 'tools/list' }),
    '400 json error -32020 id null',
  ),
  cell(
    'a notification under another version',
    notify('notifications/nope', {}, { 'mcp-protocol-version': '2025-11-25' }),
    '400 json error -32020 id null',
  ),
  cell(
    'a notification that claims 2099-01-01',
    notify('notifications/nope', { [VERSION]: '2099-01-01' }, { 'mcp-protocol-version': '2099-01-01' }),
    '400 json error -32022 id null',
  ),
  cell(
    'a notification that claims 2025-11-25',
    notify('notifications/nope', { [VERSION]: '2025-11-25' }, { 'mcp-protocol-version': '2025-11-25' }),
    '400 json error -32022 id null',
  ),
  cell(
    'a notification with a claim null',
    notify('notifications/nope', { [VERSION]: null }),
    '400 json error -32602 id null',
  ),
  cell('a notification without capabilities', notify('notifications/nope', { [CAPABILITIES]: undefined }), '202 empty'),
  cell('a request\u2019s method without an id', notify('tools/list'), '202 empty'),
  cell('a notification in a session', inSession({ jsonrpc: '2.0', method: 'notifications/nope' }), '202 empty'),
  cell('a notification without a session', post('{"jsonrpc":"2.0","method":"notifications/nope"}'), '202 empty'),
  cell(
    'a request in the form of a notification in a session',
    inSession({ jsonrpc: '2.0', method: 'tools/list' }),
    '202 empty',
  ),
  cell('a body of another era\u2019s method', post(modernBody('initialize')), '400 json error -32020 id 1'),
];
