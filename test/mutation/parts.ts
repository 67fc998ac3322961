/** What is mutated, and what each of its mutants is held against first. */
export interface Part {
  /** How the paths of its files begin, in the folder of the source. */
  readonly files: readonly string[];
  /** How the paths of its closest tests begin, in the folder of the suite. */
  readonly tests: readonly string[];
}

export const PARTS: Readonly<Record<string, Part>> = {
  'core/check': { files: ['core/check-', 'core/text-format'], tests: ['core/check-'] },
  'core/form': {
    files: ['core/form', 'core/express-', 'core/clean-'],
    tests: ['core/form', 'core/express-', 'core/clean-'],
  },
  'core/hold': { files: ['core/hold', 'core/time-distribution'], tests: ['holds/'] },
  'core/input': {
    files: ['core/confirm', 'core/embedded-', 'core/input-', 'core/misplaced-', 'core/once', 'core/request-state'],
    tests: [
      'core/confirm',
      'core/embedded-',
      'core/input-',
      'core/repeated-',
      'era/confirm',
      'era/misplaced-',
      'era/once-',
      'replay/once',
    ],
  },
  'core/json': {
    files: ['core/canonical-', 'core/capabilities', 'core/json', 'core/revision', 'core/standard-', 'core/thenable'],
    tests: ['core/canonical-', 'core/capabilities', 'core/json', 'core/revision', 'core/standard-', 'core/thenable'],
  },
  'core/options': {
    files: ['core/error', 'core/events', 'core/option', 'core/principal', 'core/telemetry'],
    tests: [
      'core/as-error',
      'core/error',
      'core/option',
      'core/principal',
      'core/telemetry',
      'core/unknown-',
      'era/event',
      'era/foreign-caller',
      'era/state-options',
      'spec/events',
    ],
  },
  'core/outcome': {
    files: ['core/answer', 'core/cached-', 'core/outcome', 'core/repeated-', 'core/retry-'],
    tests: ['core/answer', 'core/cached-', 'core/outcome', 'core/repeated-', 'core/retry-', 'era/repeated-'],
  },
  'core/sizing': { files: ['core/sizing/'], tests: ['core/sizing', 'core/unknown-'] },
  state: { files: ['state/'], tests: ['state/'] },
  'handshake/call': {
    files: ['handshake/a', 'handshake/b', 'handshake/c'],
    tests: ['holds/', 'abuse/', 'core/capabilities', 'era/'],
  },
  'handshake/hold': { files: ['handshake/hold', 'handshake/time-'], tests: ['holds/', 'core/unknown-'] },
  'handshake/http': {
    files: ['handshake/http-', 'handshake/watch-', 'handshake/stream-'],
    tests: [
      ...['http-', 'stream-', 'watch-'].map((name) => `core/${name}`),
      'era/http-',
      ...['capabilities', 'duplicate-', 'gone-', 'http-', 'max-'].map((name) => `abuse/${name}`),
      ...['events', 'grace'].map((name) => `serve/session-${name}`),
    ],
  },
  'handshake/leg': {
    files: ['d', 'e', 'f', 'g', 'hi', 'i', 'l'].map((letter) => `handshake/${letter}`),
    tests: [
      ...['emit', 'end-', 'ids-', 'input-end', 'install', 'leg-', 'settle-', 'watch-http'].map(
        (name) => `core/${name}`,
      ),
      ...['holds/', 'abuse/', 'era/'],
    ],
  },
  'handshake/round': {
    files: ['n', 'o', 'p', 'q', 'r', 'se', 'sh', 'sta', 'std', 'tr', 'wai', 'wi'].map(
      (letter) => `handshake/${letter}`,
    ),
    tests: [
      ...['next-turn', 'platform', 'round-', 'settings', 'settle-', 'shim-', 'telemetry'].map((name) => `core/${name}`),
      ...['holds/', 'otel/', 'replay/once', 'abuse/', 'era/'],
    ],
  },
};

/** Left out where all of `era/` is close, since they take seconds: what nothing else notices is held against them with all. */
export const SLOW: readonly string[] = [
  'cancel-call',
  'elicitation-revisions',
  'heartbeat',
  'http-dropped-',
  'round-timeout',
  'round-trip',
].map((name) => `era/${name}`);

/** All that run in process: for what the closest did not notice. */
export const ALL: readonly string[] = ['core/', 'state/', 'holds/', 'era/', 'abuse/', 'replay/', 'spec/'];
