/**
 * What the handshake leg promises, one sentence each. A test cites an id in brackets in its name; requirements.test.ts
 * fails on a requirement that no test cites, and on a citation of something that is no requirement.
 */
export interface Requirement {
  /** H: the contract's numbered statements, R: its refusals, E: its events, S: the specification. */
  readonly id: string;
  /** Where it is written. */
  readonly source: string;
  readonly sentence: string;
}

const from = (source: string, sentences: Readonly<Record<string, string>>): Requirement[] =>
  Object.entries(sentences).map(([id, sentence]) => ({ id, source, sentence }));

export const REQUIREMENTS: readonly Requirement[] = [
  ...from('contract, handshake leg 1', {
    H1: 'Only tools/call, prompts/get and resources/read may ask; anything else that does gets -32603 and an error event.',
  }),
  ...from('contract, handshake leg 2', {
    H2a: 'An ask has at least one of inputRequests and requestState.',
    H2b: 'Every entry of an ask is of a known kind with valid params.',
    H2c: 'Every kind asked was declared in the handshake; a non-empty elicitation without form has no form mode.',
    H2d: 'No elicitation goes out up to 2025-03-26.',
    H2e: 'On 2025-06-18 there is no URL mode and no multi-select.',
    H2f: 'On 2025-06-18 titled choices go out as enum and enumNames, and there is no mode member.',
    H2g: 'On 2025-06-18 a non-boolean default is left out and filled in on the answer.',
    H2h: "The ask's own requestState is serialisable and within maxBytes; a string was minted before.",
    H2i: 'A missing capability names all that is missing.',
    H2j: 'A mistake of the server is -32603.',
    H2k: 'The whole round is checked before anything is sent.',
  }),
  ...from('contract, handshake leg 3', {
    H3a: 'URL legs carry an elicitationId.',
    H3b: 'Leg ids are unique strings, never a number.',
  }),
  ...from('contract, handshake leg 4', {
    H4a: 'Legs ride the stream of the call, never the GET stream.',
    H4b: 'Over HTTP, an answer or a cancel under another clientId or subject than its call is ignored.',
  }),
  ...from('contract, handshake leg 5', {
    H5a: 'On time-out or cancel of the call, every open leg gets notifications/cancelled.',
    H5b: 'On time-out, cancel and close the hold is released, nothing else is sent, and the handler is not run again.',
    H5c: 'A late, duplicate or unknown answer is dropped.',
  }),
  ...from('contract, handshake leg 6', {
    H6a: 'An answer without the shape of its kind reads as absent, and the handler runs again.',
    H6b: 'content: null reads as absent content, and the question counts as unusably answered.',
  }),
  ...from('contract, handshake leg 7', {
    H7a: "inputResponses and requestState in a handshake client's params never reach a handler.",
    H7b: 'Capability members that are not objects are removed before SDK v1 sees them.',
    H7c: 'A request id already in flight gets -32600 and is not delivered.',
  }),
  ...from('contract, handshake leg 8', {
    H8: 'A round with only requestState runs again after 50 ms, doubling to 250 ms, counted in maxRounds.',
  }),
  ...from('contract, handshake leg 9', {
    H9a: 'Progress keeps rising across runs: a value not above the last one goes out as a small step.',
    H9b: 'A heartbeat is such a step with the message "Waiting for an answer", the first with the first leg.',
  }),
  ...from('contract, handshake leg 10', {
    H10a: 'Where no leg can travel, the call ends in under 50 ms, naming the cause and the cure.',
    H10b: 'A stream that is gone ends its call.',
    H10c: 'The end of stdin ends a stdio transport.',
  }),
  ...from('contract, handshake leg 11', {
    H11a: 'The same question again right after a decline or cancel ends the call.',
    H11b: 'The same question again after an error answer ends the call as a repeated ask.',
    H11c: 'After an unusable answer a question may be asked twice more, then the call ends.',
    H11d: 'note is added to the message and does not make a question another one.',
    H11e: "onRepeatedAsk 'allow' leaves repeated questions to maxRounds.",
  }),
  ...from('contract, handshake leg 12', {
    H12a: "A v1 request of the handler's own, related to a call already answered, is rejected at once.",
    H12b: 'All other v1 requests pass untouched.',
  }),
  ...from('contract, options', {
    O1: 'The ask after maxRounds ends the call.',
    O2: 'roundTimeout is the time for the answers of one round, all together, and a hard limit.',
    O3: "legs: 'sequential' is one dialog at a time in insertion order, 'concurrent' all at once.",
    O4: "onFailedLeg: 'end' ends the call at an error answer, 'reenter' lets the handler see it as failed.",
  }),
  ...from('contract, what the handshake leg does, last paragraph', {
    R1: 'A tools/call that cannot be fulfilled ends as an isError result with the outcome in its _meta.',
    R2: 'The other two methods end as JSON-RPC error -32603 with the same outcome in data.',
    R3: 'The round of an outcome counts from 1, the refused one included.',
    R4: 'No refusal is ever read as consent.',
  }),
  ...from('contract, events', {
    E1: 'The events of a call carry one callId through all its rounds.',
    E2: 'An onEvent hook that throws or rejects never changes a call.',
  }),
  ...from('spec, basic/patterns/mrtr, server requirements', {
    S1: 'An input_required result is returned from tools/call, prompts/get and resources/read only (MUST NOT elsewhere).',
    S2: 'It has at least one of inputRequests and requestState (MUST).',
    S3: 'It asks only for kinds and modes that the client declared (MUST NOT).',
    S7: 'Unknown keys among the answers are ignored, and own members only are read (SHOULD).',
  }),
  ...from('spec, basic/lifecycle', {
    S4: 'Results of the handshake era carry no resultType, inputRequests or requestState.',
    S5: 'initialize is answered with a revision of the handshake era.',
  }),
  ...from('spec, client/elicitation (2025-11-25)', {
    S8: 'A URL mode request carries an elicitationId (required), unique among them.',
    S14: 'Accepted content is validated against the schema that was asked (SHOULD).',
  }),
  ...from('spec, client/sampling', {
    S16: 'A message with a tool_result holds only those, and every tool_use is answered by the next message (MUST).',
  }),
  ...from('spec, basic/utilities/cancellation', {
    S9: 'A cancelled request is not answered, and initialize is never cancelled.',
  }),
  ...from('spec, basic/utilities/progress', {
    S10: 'Progress increases with each notification (MUST), and stops with the answer.',
  }),
  ...from('spec, basic, requests', {
    S11: 'A request id is a string or an integer, never null, and not used twice in a session (MUST).',
  }),
  ...from('spec, basic/transports, streamable HTTP', {
    S12: 'A request of the server relates to the request whose stream it is on (SHOULD).',
    S18: 'On 2025-03-26 a batch is accepted (MUST).',
  }),
  ...from('spec, schema.json of the negotiated revision', {
    S13: 'Every message that the server sends is valid.',
  }),
];
