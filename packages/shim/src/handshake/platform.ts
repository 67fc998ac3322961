/** The platform's own clock, randomness and warnings, which tests replace. */
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

/** `given` with the platform's own for each port it leaves out. */
export function resolvePorts(given: Partial<Ports> | undefined): Ports {
  return given === undefined ? PLATFORM : { ...PLATFORM, ...given };
}
