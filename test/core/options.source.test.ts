import { describe, expect, it } from 'vitest';
import { LONGEST_DELAY } from '../../packages/shim/src/core/option-checks.ts';
import { resolveOptions } from '../../packages/shim/src/core/options.ts';
import { defaultSubject } from '../../packages/shim/src/core/principal.ts';

describe('the options', () => {
  it.each([[undefined], [{}], [{ maxRounds: undefined, heartbeat: undefined, requestState: { maxBytes: undefined } }]])(
    'have their defaults: %j',
    (options) => {
      expect(resolveOptions(options)).toStrictEqual({
        maxRounds: 8,
        roundTimeout: 600_000,
        legs: 'sequential',
        onFailedLeg: 'end',
        onRepeatedAsk: 'end',
        heartbeat: 15_000,
        subject: defaultSubject,
        maxStateBytes: 65_536,
        holds: undefined,
        telemetry: undefined,
        onEvent: undefined,
      });
    },
  );

  it('are taken as they are given', () => {
    const given = {
      maxRounds: 1,
      roundTimeout: 1,
      legs: 'concurrent',
      onFailedLeg: 'reenter',
      onRepeatedAsk: 'allow',
      heartbeat: false,
      subject: () => 'ada',
      holds: { stats: () => ({}) as never, drain: async () => ({ finished: 0, ended: 0 }) },
      telemetry: { onEvent: () => undefined, onHold: () => undefined, contextOf: () => undefined },
      onEvent: () => undefined,
    } as const;
    expect(resolveOptions({ ...given, requestState: { maxBytes: 1 } })).toStrictEqual({ ...given, maxStateBytes: 1 });
  });

  it.each([
    [null, /^telemetry must be an object, got null$/],
    [[], /^telemetry must be an object, got /],
    [{}, /^telemetry\.onEvent must be a function, got undefined$/],
    [{ onEvent: () => undefined, onHold: 5 }, /^telemetry\.onHold must be a function, got 5$/],
    [{ onEvent: () => undefined, onHold: () => undefined }, /^telemetry\.contextOf must be a function, got undefined$/],
  ])('refuse %o as telemetry', (telemetry, message) => {
    const resolve = () => resolveOptions({ telemetry: telemetry as never });
    expect(resolve).toThrow(TypeError);
    expect(resolve).toThrow(message);
  });

  it('may wait as long as a timer of the platform can', () => {
    expect(LONGEST_DELAY).toBe(2_147_483_647);
    expect(resolveOptions({ roundTimeout: 2_147_483_647, heartbeat: 2_147_483_647 })).toMatchObject({
      roundTimeout: 2_147_483_647,
      heartbeat: 2_147_483_647,
    });
  });
});

it.each([
  [
    { requestState: { mint: () => 's' } },
    'requestState must be the options of a codec, or a codec with mint and verify, got an object',
  ],
  [
    { maxRound: 1 },
    'options must have no members but maxRounds, roundTimeout, legs, onFailedLeg, onRepeatedAsk, heartbeat, subject, ' +
      'requestState, holds, telemetry, onEvent, ports, got "maxRound"',
  ],
])('%j is refused by name', (options, message) => {
  expect(() => resolveOptions(options as never)).toThrow(new TypeError(message));
});
