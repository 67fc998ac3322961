import { type Cell, call, cell, inSession, list, plain } from './malformed-request.ts';

const _response = (members: object) => ({ jsonrpc: '2.0', id: 'leg', ...members });
const _MODERN = { 'mcp-protocol-version': '2026-07-28' };
const _notify = (method: string, meta: object = {}, headers: object = {}) =>
  call(method, {}, { meta, headers: headers as never, message: { id: undefined } });
const tool = (name: unknown, params: object = {}) => call('tools/call', {}, { params: { name, ...params } });
const echoWith = (args: unknown) => call('tools/call', { name: 'echo', arguments: args });
const listen = (notifications: unknown) => call('subscriptions/listen', { notifications });

export const METHODS: readonly Cell[] = [
  cell('a method nobody knows', call('nope/nope'), '404 json error -32601 id 1'),
  cell('a method named as a member of every object', call('constructor'), '404 json error -32601 id 1'),
  cell('a method named __proto__', call('__proto__'), '404 json error -32601 id 1'),
  cell('a method nobody knows, in a session', inSession(plain('nope/nope')), '200 sse error -32601 id 1'),
  cell('the removed ping', call('ping'), '404 json error -32601 id 1'),
  cell('the removed logging/setLevel', call('logging/setLevel', { level: 'info' }), '404 json error -32601 id 1'),
  cell(
    'the removed resources/subscribe',
    call('resources/subscribe', { uri: 'file:///cfg.json' }),
    '404 json error -32601 id 1',
  ),
  cell(
    'the removed resources/unsubscribe',
    call('resources/unsubscribe', { uri: 'file:///cfg.json' }),
    '404 json error -32601 id 1',
  ),
  cell(
    'the removed tasks/get',
    call('tasks/get', { taskId: '1' }, { headers: { 'mcp-name': '1' } }),
    '404 json error -32601 id 1',
  ),
  cell('the removed tasks/list', call('tasks/list'), '404 json error -32601 id 1'),
  cell('the client\u2019s elicitation/create', call('elicitation/create'), '404 json error -32601 id 1'),
  cell('the client\u2019s sampling/createMessage', call('sampling/createMessage'), '404 json error -32601 id 1'),
  cell('the client\u2019s roots/list', call('roots/list'), '404 json error -32601 id 1'),
  cell(
    'completion/complete where nothing completes',
    call('completion/complete', { ref: { type: 'ref/prompt', name: 'brief' }, argument: { name: 'a', value: '' } }),
    '404 json error -32601 id 1',
  ),
  cell('server/discover without a claim', inSession(plain('server/discover')), '200 sse error -32601 id 1'),
  cell(
    'subscriptions/listen without a claim',
    inSession(plain('subscriptions/listen', { notifications: {} })),
    '200 sse error -32601 id 1',
  ),
  cell('ping in a session', inSession(plain('ping')), '200 sse result id 1'),

  cell('a tool without a name', tool(undefined), '200 json error -32602 id 1'),
  cell('a tool with a name that is a number', tool(42), '200 json error -32602 id 1'),
  cell('a tool with a name that is null', tool(null), '200 json error -32602 id 1'),
  cell('a tool nobody knows', call('tools/call', { name: 'nope', arguments: {} }), '200 json error -32602 id 1'),
  cell(
    'a tool named as a member of every object',
    call('tools/call', { name: 'constructor', arguments: {} }),
    '200 json error -32602 id 1',
  ),
  cell(
    'a tool nobody knows, in a session',
    inSession(plain('tools/call', { name: 'nope', arguments: {} })),
    '200 sse error -32602 id 1',
  ),
  cell('arguments that are a list', echoWith([]), '200 json error -32602 id 1'),
  cell('arguments that are a string', echoWith('x'), '200 json error -32602 id 1'),
  cell('arguments that are null', echoWith(null), '200 json error -32602 id 1'),
  cell('no arguments', call('tools/call', { name: 'echo' }), '200 json isError id 1'),
  cell('an argument of another type', echoWith({ text: 1 }), '200 json isError id 1'),
  cell(
    'a task asked for',
    call('tools/call', { name: 'echo', arguments: { text: 'x' }, task: { ttl: 1 } }),
    '200 json result id 1',
  ),
  cell('an ask without members', call('tools/call', { name: 'broken', arguments: {} }), '200 json error -32603 id 1'),
  cell('a cursor nobody gave', list({ params: { cursor: 'nope' } }), '200 json result id 1'),
  cell('a cursor that is a number', list({ params: { cursor: 1 } }), '200 json error -32603 id 1'),
  cell('a prompt nobody knows', call('prompts/get', { name: 'nope' }), '200 json error -32602 id 1'),
  cell('a prompt without a name', call('prompts/get'), '200 json error -32603 id 1'),
  cell(
    'prompt arguments that are a list',
    call('prompts/get', { name: 'brief', arguments: [] }),
    '200 json error -32603 id 1',
  ),
  cell('a prompt that asks who cannot be asked', call('prompts/get', { name: 'brief' }), '400 json error -32021 id 1'),
  cell('a resource nobody has', call('resources/read', { uri: 'file:///no' }), '200 json error -32602 id 1'),
  cell(
    'a resource nobody has, in a session',
    inSession(plain('resources/read', { uri: 'file:///no' })),
    '200 sse error -32602 id 1',
  ),
  cell('a resource without a URI', call('resources/read'), '200 json error -32603 id 1'),
  cell(
    'a resource with a URI that is a number',
    call('resources/read', {}, { params: { uri: 1 } }),
    '200 json error -32603 id 1',
  ),
  cell('a resource with a URI that is none', call('resources/read', { uri: 'no uri' }), '200 json error -32602 id 1'),
  cell('a listener of nothing', listen(undefined), '200 json error -32602 id 1'),
  cell('a listener of null', listen(null), '200 json error -32602 id 1'),
  cell('a listener of a list', listen([]), '200 json error -32602 id 1'),
  cell('a listener of no kind', listen({}), '200 sse notifications/subscriptions/acknowledged'),
  cell('a listener of a kind that is no boolean', listen({ toolsListChanged: 'yes' }), '200 json error -32602 id 1'),
  cell(
    'a listener of URIs that are no list',
    listen({ resourceSubscriptions: 'file:///cfg.json' }),
    '200 json error -32602 id 1',
  ),
  cell('server/discover with more params', call('server/discover', { more: true }), '200 json result id 1'),
];
