import { type InputRequiredOptions, shimTransport } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';

const TRANSPORT = {
  start: async () => undefined,
  send: async () => undefined,
  close: async () => undefined,
};
const build = (options: unknown) => () => shimTransport(TRANSPORT, options as InputRequiredOptions);

const DELAYS = 'must be an integer from 1 to 2147483647';
const COUNTS = 'must be an integer from 1 to 9007199254740991';

describe('an option of the wrong type', () => {
  it.each<[unknown, string]>([
    [null, 'options must be an object, got null'],
    [[], 'options must be an object, got an array'],
    ['fast', 'options must be an object, got a string'],
    [7, 'options must be an object, got 7'],
    [() => ({}), 'options must be an object, got a function'],
    [{ maxRounds: '8' }, 'maxRounds must be a number, got "8"'],
    [{ maxRounds: true }, 'maxRounds must be a number, got true'],
    [{ maxRounds: 8n }, 'maxRounds must be a number, got 8n'],
    [{ maxRounds: [8] }, 'maxRounds must be a number, got an array'],
    [{ roundTimeout: '10m' }, 'roundTimeout must be a number, got "10m"'],
    [{ roundTimeout: false }, 'roundTimeout must be a number, got false'],
    [{ roundTimeout: {} }, 'roundTimeout must be a number, got an object'],
    [{ heartbeat: true }, 'heartbeat, unless false, must be a number, got true'],
    [{ heartbeat: '15s' }, 'heartbeat, unless false, must be a number, got "15s"'],
    [{ legs: 1 }, "legs must be 'sequential' or 'concurrent', got 1"],
    [{ legs: ['sequential'] }, "legs must be 'sequential' or 'concurrent', got an array"],
    [{ onFailedLeg: false }, "onFailedLeg must be 'end' or 'reenter', got false"],
    [{ onRepeatedAsk: () => 'end' }, "onRepeatedAsk must be 'end' or 'allow', got a function"],
    [{ subject: 'sub' }, 'subject must be a function, got "sub"'],
    [{ subject: null }, 'subject must be a function, got null'],
    [{ onEvent: {} }, 'onEvent must be a function, got an object'],
    [{ onEvent: null }, 'onEvent must be a function, got null'],
    [{ requestState: 65_536 }, 'requestState must be an object, got 65536'],
    [{ requestState: [] }, 'requestState must be an object, got an array'],
    [{ requestState: { maxBytes: '64k' } }, 'requestState.maxBytes must be a number, got "64k"'],
    [{ maxRounds: null }, 'maxRounds must be a number, got null'],
    [{ roundTimeout: null }, 'roundTimeout must be a number, got null'],
    [{ heartbeat: null }, 'heartbeat, unless false, must be a number, got null'],
    [{ legs: null }, "legs must be 'sequential' or 'concurrent', got null"],
    [{ onFailedLeg: null }, "onFailedLeg must be 'end' or 'reenter', got null"],
    [{ onRepeatedAsk: null }, "onRepeatedAsk must be 'end' or 'allow', got null"],
    [{ requestState: null }, 'requestState must be an object, got null'],
    [{ requestState: { maxBytes: null } }, 'requestState.maxBytes must be a number, got null'],
  ])('is a TypeError: %o', (options, message) => {
    expect(build(options)).toThrow(new TypeError(message));
  });
});

describe('an option out of bounds', () => {
  it.each<[Json, string]>([
    [{ maxRounds: 0 }, `maxRounds ${COUNTS}, got 0`],
    [{ maxRounds: -1 }, `maxRounds ${COUNTS}, got -1`],
    [{ maxRounds: 1.5 }, `maxRounds ${COUNTS}, got 1.5`],
    [{ maxRounds: Number.NaN }, `maxRounds ${COUNTS}, got NaN`],
    [{ maxRounds: Number.POSITIVE_INFINITY }, `maxRounds ${COUNTS}, got Infinity`],
    [{ roundTimeout: 0 }, `roundTimeout ${DELAYS}, got 0`],
    [{ roundTimeout: 0.5 }, `roundTimeout ${DELAYS}, got 0.5`],
    [{ roundTimeout: 2_147_483_648 }, `roundTimeout ${DELAYS}, got 2147483648`],
    [{ roundTimeout: Number.POSITIVE_INFINITY }, `roundTimeout ${DELAYS}, got Infinity`],
    [{ heartbeat: 0 }, `heartbeat, unless false, ${DELAYS}, got 0`],
    [{ heartbeat: -15_000 }, `heartbeat, unless false, ${DELAYS}, got -15000`],
    [{ heartbeat: 2_147_483_648 }, `heartbeat, unless false, ${DELAYS}, got 2147483648`],
    [{ legs: 'parallel' }, "legs must be 'sequential' or 'concurrent', got \"parallel\""],
    [{ legs: '' }, "legs must be 'sequential' or 'concurrent', got \"\""],
    [{ onFailedLeg: 'Reenter' }, "onFailedLeg must be 'end' or 'reenter', got \"Reenter\""],
    [{ onRepeatedAsk: 'toString' }, "onRepeatedAsk must be 'end' or 'allow', got \"toString\""],
    [{ requestState: { maxBytes: 0 } }, `requestState.maxBytes ${COUNTS}, got 0`],
    [{ requestState: { maxBytes: 2 ** 53 } }, `requestState.maxBytes ${COUNTS}, got 9007199254740992`],
  ])('is a RangeError: %o', (options, message) => {
    expect(build(options)).toThrow(new RangeError(message));
  });
});

describe('an option within bounds', () => {
  it.each<[Json]>([
    [{}],
    [{ maxRounds: 1, roundTimeout: 1_000, heartbeat: 1 }],
    [{ maxRounds: 9007199254740991, roundTimeout: 2_147_483_647, heartbeat: false }],
    [{ legs: 'concurrent', onFailedLeg: 'reenter', onRepeatedAsk: 'allow' }],
    [{ subject: undefined, onEvent: undefined, requestState: undefined }],
    [{ subject: () => undefined, onEvent: () => undefined, requestState: { maxBytes: 1 } }],
  ])('is taken: %o', (options) => {
    expect(build(options)).not.toThrow();
  });
});
