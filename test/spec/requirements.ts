/**
 * What the package promises, one sentence each. A test cites an id in brackets in its name; requirements.test.ts
 * fails on a requirement that no test cites, and on a citation of something that is no requirement.
 */
export interface Requirement {
  /** A: asking, H: the contract's numbered statements, R: its refusals, E: its events, S: the specification, M: the serving entry. */
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
  ...from('contract, builders and readers; issue "Asking well"', {
    A1: 'form() and field say every field and keyword of the vocabulary, and the type of the content is inferred.',
    A2: 'A mistake in a form is a TypeError or a RangeError that names the field, at construction.',
    A3: 'A flat zod object, of zod 4 or of zod/v4 in zod 3.25, is asked as its JSON Schema.',
    A4: 'What the vocabulary cannot say is a TypeError that names the field, before anything is sent.',
    A5: 'Refinements, coercions, transforms and defaults of a schema hold on the answer.',
    A6: 'What a generator of JSON Schema wrote is accepted, and cleaned for the revision.',
    A7: 'A hostile answer is refused in bounded time and memory.',
    A8: 'The same ask goes out right on every revision, or is refused by name.',
    A9: 'A confirm is a yes only after an explicit accepted yes to the very text shown; no default makes one.',
    A10: 'A decision holds for its call; a text that has changed is asked again, and no other answer is read.',
    A11: 'The elicitationId of a URL that was asked is readable by the handler.',
    A12: 'completeElicitation sends where the revision has it and the client declared URL mode, and nowhere else.',
    A13: 'A URL to open is https unless it is loopback, and carries no credentials.',
    A14: 'A right answer to a form is accepted, and each single mutation of it refused.',
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
  ...from('contract, requestState', {
    Q1a: 'verify gives what mint was given, for any JSON value and any binding, and fails for any other binding.',
    Q1b: 'A payload is a JSON value of at most maxBytes bytes.',
    Q2a: 'A state that was changed in any bit, cut, lengthened or written another way is refused.',
    Q2b: 'Whatever else comes in place of a state is refused, null and the empty text included, in bounded time.',
    Q2c: 'The tag covers the version and everything behind it, under a key derived for that purpose alone.',
    Q3a: 'Every refusal is -32602 "Invalid or expired requestState" with fixed data; the cause is not for the client.',
    Q3b: 'The seal is checked first, in constant time, before anything is parsed, digested or used up.',
    Q3c: 'No event, error or output tells the payload, the subject or the key.',
    Q4a: 'By default a state is bound to the caller, the method, its target and every other parameter.',
    Q4b: 'An explicit binding takes the place of the call, and is not taken for one.',
    Q4c: 'A bind or subject function that throws denies in verify and throws in mint.',
    Q4d: 'The parameters are digested in canonical JSON (RFC 8785), without _meta, inputResponses, requestState and task.',
    Q4e: 'Parameters nested deeper than 512 levels are refused.',
    Q4f: 'An audience keeps apart the states of services that share a key.',
    Q5a: 'A key is text (as UTF-8) or bytes, of at least 32 bytes.',
    Q5b: 'Keys are copied at construction.',
    Q5c: 'generateRequestStateKey gives a fresh key of 32 bytes.',
    Q5d: 'The command mcp-dual-era key prints a fresh key.',
    Q6a: 'The newest key seals, every listed key opens, and any other is refused.',
    Q6b: 'encrypt hides the payload; a key opens both forms.',
    Q6c: 'Processes that share a key open the states of each other, and no others.',
    Q6d: 'Without keys a codec has an ephemeral key, and a state of another such key is told apart for the operator.',
    Q7a: 'A state expires ttlSeconds after it was minted, to the millisecond.',
    Q7b: 'A state minted up to 60 s in the future is accepted, and refused beyond.',
    Q8a: 'With singleUse a state is accepted once.',
    Q8b: 'A store that rejects, throws or says anything but true denies.',
    Q8c: 'The store in memory is bounded: full of unexpired ids, it denies.',
    Q8d: 'The store over Redis is shared by every process on it.',
  }),
  ...from('contract, requestState, on the handshake leg', {
    Q9a: 'What mintRequestState gave can be returned as requestState and comes back as the value.',
    Q9b: 'A text that was not minted for the call is a mistake of the server: nobody is asked.',
    Q9c: 'The ESM and the CJS build open the states of each other.',
    Q9d: 'mintRequestState throws NO_MIDDLEWARE where no middleware delivered the call.',
    Q9e: 'mint and verify of a codec of the user may be asynchronous.',
    Q9f: 'A call that is cut off while its codec is pending is not answered, and nobody is asked.',
    Q9g: 'maxBytes holds for values that were minted too.',
    Q9h: 'The option requestState is the options of a codec, or a codec.',
  }),
  ...from('contract, serve, the modern leg', {
    M1a: 'server/discover tells what the SDK v1 server is, the same through every face.',
    M1b: 'Tools, prompts, resources, templates and completion of an SDK v1 server reach a modern client.',
    M1c: 'Progress rises, on the stream of its request, before the result.',
    M1d: 'Log messages go out only where the request asked for them, at its level or above.',
    M1e: 'A cancellation, or a client that goes away, reaches extra.signal; nothing is sent for the request afterwards.',
    M1f: 'authInfo, requestInfo, vendor _meta and the client of the request reach the handler.',
    M1g: 'Mcp-Param-* headers are checked against the arguments.',
    M1h: 'Unknown tool, missing resource and -32042 have the modern form; vendor methods are served.',
    M1i: 'subscriptions/listen brings list changes and updates of granted resources, also those sent outside a request.',
    M1j: 'The official v2 client, pinned and in auto mode, and the SDK v1 client get equal results.',
  }),
  ...from('contract, serve, asks of modern clients', {
    M2a: 'An ask has exactly resultType, inputRequests, requestState and _meta on the wire.',
    M2b: 'A handler cannot tell the eras apart.',
    M2c: 'A confirmation is a yes only with the verified state of its own question.',
    M2d: 'The capability gate answers -32021 naming all that is missing, for the capabilities of the request.',
    M2e: 'A bad state is the frozen -32602 before the handler runs, and an event that says why.',
    M2f: 'With singleUse, the id is consumed before the handler runs.',
    M2g: 'A state of another caller is refused.',
    M2h: "pushCalls 'reject' ends the request at once, aborts the signal and lets nothing later reach the client.",
    M2i: 'A server that the factory wrapped keeps its own options on both legs.',
  }),
  ...from('contract, serve, sessions', {
    M3a: 'initialize always opens a new session, whose id is a random UUID.',
    M3b: 'DELETE ends a session.',
    M3c: 'The GET stream opens at once, one at a time.',
    M3d: 'A session without a call or a stream ends after idleTimeout.',
    M3e: 'Beyond max sessions, initialize gets 503 with a JSON-RPC body.',
    M3f: 'A session belongs to who opened it; any other caller gets 404.',
    M3g: 'One event store serves all sessions, and no session finds the events of another.',
    M3h: 'A hold ends at once when its client is gone, or after disconnectGrace where it can come back.',
    M3i: 'A change that any instance announces reaches every session once.',
    M3j: 'Sessions and eras at once do not see the messages of each other.',
    M3k: 'Every error of ours is JSON-RPC with the id of its request.',
    M3l: 'inputRequired: false leaves handshake connections without the shim.',
  }),
  ...from('contract, speed', {
    M6a: 'cachedValidator compiles a schema once, by what it says, in bounded memory.',
  }),
  ...from('wire reference 10, eras', {
    M4a: 'The era is the negotiated or the claimed one, and a claim never falls back.',
    M4b: 'On stdio the opening exchange pins the era, and server/discover does not.',
    M4c: 'A malformed request is answered as by the official v2 server, or for a reason.',
    M4d: 'The version of every message on a pinned stdio connection is checked.',
  }),
  ...from('contract, serve, safe by default', {
    M5a: 'Host and Origin are checked, with loopback names by default.',
    M5b: 'Bodies are limited, to 4 MiB by default.',
    M5c: 'No server goes beyond loopback without a key, unless it is told to.',
    M5d: 'close ends everything and lets the process exit.',
    M5e: '10 000 requests leave no instance, session, listener or timer behind.',
    M5f: 'The end of stdin ends the process, after what is running was answered.',
    M5g: 'A factory that fails is a 500 without its words.',
    M5h: 'handler.node serves Express and Fastify, with and without a body parser.',
    M5i: 'Options are checked at construction.',
  }),
];
