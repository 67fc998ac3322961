import { once } from 'node:events';
import { expect, it } from 'vitest';
import { resolvePorts } from '../../packages/shim/src/handshake/platform.ts';

it('the clock of the platform runs what is due, and nothing that was cleared', async () => {
  const { clock } = resolvePorts(undefined);
  const ran: string[] = [];
  clock.clearTimeout(clock.setTimeout(() => ran.push('a cleared timer'), 1));
  clock.clearImmediate(clock.setImmediate(() => ran.push('a cleared immediate')));
  const before = clock.now();
  await new Promise<void>((resolve) => clock.setImmediate(resolve));
  await new Promise<void>((resolve) => clock.setTimeout(resolve, 20));
  expect(ran).toEqual([]);
  expect(clock.now() - before).toBeGreaterThan(15);
});

it('a warning of the platform is one of the process, of a type of its own', async () => {
  const warned = once(process, 'warning');
  resolvePorts({}).warn('look here');
  expect(await warned).toEqual([expect.objectContaining({ name: 'McpDualEraWarning', message: 'look here' })]);
});

it.each<[unknown, string]>([
  [null, 'ports must be an object, got null'],
  [{ clock: 1 }, 'ports.clock must be an object, got 1'],
  [{ clock: {} }, 'ports.clock.setTimeout must be a function, got undefined'],
  [{ randomId: 'x' }, 'ports.randomId must be a function, got "x"'],
  [{ warn: {} }, 'ports.warn must be a function, got an object'],
])('what are no ports is refused: %o', (ports, message) => {
  expect(() => resolvePorts(ports as never)).toThrow(new TypeError(message));
});
