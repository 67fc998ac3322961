/** The platform's own clock, randomness and warnings, which tests replace. */
import { object, wrongType } from '../core/option-checks.ts';
import type { Clock, Ports } from '../core/options.ts';

const platformClock: Clock = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setImmediate: (run) => setImmediate(run),
  clearImmediate: (immediate) => clearImmediate(immediate as NodeJS.Immediate),
  now: () => performance.now(),
};

const PLATFORM: Ports = {
  clock: platformClock,
  randomId: () => crypto.randomUUID(),
  warn: (message) => process.emitWarning(message, { type: 'McpDualEraWarning' }),
};

/**
 * `given` with the platform's own for each port it leaves out.
 *
 * @throws TypeError for what are no ports.
 */
export function resolvePorts(given: Partial<Ports> | undefined): Ports {
  if (given === undefined) return PLATFORM;
  object('ports', given);
  const ports = { ...PLATFORM, ...given };
  object('ports.clock', ports.clock);
  for (const name of Object.keys(platformClock) as (keyof Clock)[]) callable(`ports.clock.${name}`, ports.clock[name]);
  callable('ports.randomId', ports.randomId);
  callable('ports.warn', ports.warn);
  return ports;
}

function callable(name: string, port: unknown): void {
  if (typeof port !== 'function') throw wrongType(name, 'a function', port);
}
