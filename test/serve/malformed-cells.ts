import { ANSWERS } from './malformed-answers.ts';
import { BODIES } from './malformed-bodies.ts';
import { ENVELOPES } from './malformed-envelopes.ts';
import { HEADERS } from './malformed-headers.ts';
import { METHODS } from './malformed-methods.ts';
import type { Cell } from './malformed-request.ts';
import { TRANSPORT } from './malformed-transport.ts';

const inGroup = (group: string, cells: readonly Cell[]): Cell[] =>
  cells.map((cell) => ({ ...cell, name: `${group}: ${cell.name}` }));

/** Malformed requests, and some that only look so, each with the answer of the official v2 server. */
export const CELLS: readonly Cell[] = [
  ...inGroup('body', BODIES),
  ...inGroup('envelope', ENVELOPES),
  ...inGroup('header', HEADERS),
  ...inGroup('transport', TRANSPORT),
  ...inGroup('method', METHODS),
  ...inGroup('answer', ANSWERS),
];

export interface Difference {
  readonly ours: string;
  readonly reason: string;
}

const SESSIONS = 'The handshake leg has sessions here, where the official one is stateless.';
const ECHOED = 'An id that can be read is echoed [F15]; the official server says null.';
const REVISIONS = 'Only a date is compared with revisions: zzz is no later than any of them.';
const DECLARED = 'What is no object is no declaration, and the connection opens [F31]; SDK v2 refuses it.';
const UNOPENED = 'What SDK v1 does not take for an initialize opens no session, and needs one.';
const REFUSED = 'Answers that are no object should be an error (spec: mrtr, error handling); SDK v2 asks again.';

/** Where this package answers otherwise than the official v2 server, by the name of the cell. */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'envelope: no version and no headers': { ours: '400 json error -32000 id 1', reason: SESSIONS },
  'header: no session id without a claim': { ours: '400 json error -32000 id 1', reason: SESSIONS },
  'header: a session id nobody gave, without a claim': { ours: '404 json error -32001 id 1', reason: SESSIONS },
  'envelope: initialize as a notification': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'answer: a posted result': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'answer: a notification without a session': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'transport: GET': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'transport: GET of an event stream': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'transport: GET of an event stream with the modern version': {
    ours: '400 json error -32000 id null',
    reason: SESSIONS,
  },
  'transport: GET of an event stream of a session nobody has': {
    ours: '404 json error -32001 id null',
    reason: SESSIONS,
  },
  'transport: GET of an event stream in a session': { ours: '200 sse open', reason: SESSIONS },
  'transport: GET of JSON in a session': { ours: '406 json error -32000 id null', reason: SESSIONS },
  'transport: DELETE': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'transport: DELETE with the modern version': { ours: '400 json error -32000 id null', reason: SESSIONS },
  'transport: DELETE of a session nobody has': { ours: '404 json error -32001 id null', reason: SESSIONS },
  'transport: DELETE in a session': { ours: '200 empty', reason: SESSIONS },

  'transport: a host of somebody else': { ours: '403 json error -32000 id 1', reason: ECHOED },
  'transport: an origin of somebody else': { ours: '403 json error -32000 id 1', reason: ECHOED },
  'transport: an origin null': { ours: '403 json error -32000 id 1', reason: ECHOED },
  'transport: an origin of somebody else, without a claim': { ours: '403 json error -32000 id 1', reason: ECHOED },
  'transport: no Accept in a session': { ours: '406 json error -32000 id 1', reason: ECHOED },
  'transport: Accept of JSON alone in a session': { ours: '406 json error -32000 id 1', reason: ECHOED },
  'transport: Accept of anything in a session': { ours: '406 json error -32000 id 1', reason: ECHOED },
  'transport: Accept in capitals in a session': { ours: '406 json error -32000 id 1', reason: ECHOED },
  'header: a version 1.0 without a claim': { ours: '400 json error -32000 id 1', reason: ECHOED },

  'header: a version zzz without a claim': { ours: '400 json error -32000 id 1', reason: REVISIONS },
  'header: a version zzz without a claim or a session': { ours: '400 json error -32000 id 1', reason: REVISIONS },

  'envelope: initialize with a capability that is true': { ours: '200 sse result id 1', reason: DECLARED },
  'envelope: initialize with capabilities that are a list': { ours: '200 sse result id 1', reason: DECLARED },
  'envelope: initialize that asks for nothing': { ours: '400 json error -32000 id 1', reason: UNOPENED },
  'envelope: initialize that asks for a number': { ours: '400 json error -32000 id 1', reason: UNOPENED },
  'envelope: initialize without client info': { ours: '400 json error -32000 id 1', reason: UNOPENED },
  'body: a batch with an id twice in a session': {
    ours: '400 json error -32600 id 1',
    reason: 'A request id that is in flight is refused [F52].',
  },
  'method: a tool nobody knows, in a session': {
    ours: '200 sse isError id 1',
    reason: 'SDK v1 tells a tool that it does not know in a result.',
  },
  'answer: answers null': { ours: '200 json error -32602 id 1', reason: REFUSED },
  'answer: answers that are a list': { ours: '200 json error -32602 id 1', reason: REFUSED },
  'answer: answers that are a string': { ours: '200 json error -32602 id 1', reason: REFUSED },
  'answer: answers that are a number': { ours: '200 json error -32602 id 1', reason: REFUSED },
};
