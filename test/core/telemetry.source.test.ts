import { expect, it } from 'vitest';
import { traceContextIn } from '../../packages/shim/src/core/telemetry.ts';

it.each<[unknown, object]>([
  [
    { traceparent: 'p', tracestate: 's', baggage: 'b', other: 'o' },
    { traceparent: 'p', tracestate: 's', baggage: 'b' },
  ],
  [{ traceparent: 7, tracestate: null, baggage: ['b'] }, {}],
  [Object.create({ traceparent: 'inherited' }), {}],
  [{}, {}],
  [null, {}],
  [undefined, {}],
  ['traceparent', {}],
])('the trace context in %j is %j', (meta, context) => {
  expect(traceContextIn(meta)).toStrictEqual(context);
});
