import { createHolds, withInputRequiredShim } from 'mcp-dual-era';
import { openTelemetry } from 'mcp-dual-era/otel';
import { describe, expect, it } from 'vitest';
import { sdkNamed } from '../support/sdk.ts';

describe('the options of openTelemetry', () => {
  it.each([
    ['options', 7, 'options must be an object, got 7'],
    ['options', null, 'options must be an object, got null'],
    [
      'name',
      { hold: createHolds() },
      'options must have no members but holds, tracerProvider, meterProvider, propagator, got "hold"',
    ],
    ['holds', { holds: 7 }, 'holds must be an object, got 7'],
    ['holds', { holds: {} }, 'holds.stats must be a function, got undefined'],
    ['tracerProvider', { tracerProvider: {} }, 'tracerProvider.getTracer must be a function, got undefined'],
    ['meterProvider', { meterProvider: { getMeter: 1 } }, 'meterProvider.getMeter must be a function, got 1'],
    ['propagator', { propagator: 'w3c' }, 'propagator must be an object, got a string'],
    ['propagator', { propagator: { inject() {} } }, 'propagator.extract must be a function, got undefined'],
  ])('a wrong %s is a TypeError: %j', (_name, options, message) => {
    expect(() => openTelemetry(options as never)).toThrow(new TypeError(message));
  });

  it('are none at least', () => {
    const { McpServer } = sdkNamed('newest');
    for (const options of [undefined, {}, { holds: undefined, propagator: undefined }, { holds: createHolds() }]) {
      const telemetry = openTelemetry(options);
      withInputRequiredShim(new McpServer({ name: 'x', version: '1' }), { telemetry });
      telemetry.stop();
    }
  });
});
