/** Tells the operator: through `onerror`, and of what nobody would hear of otherwise by a warning of the process. */
import { warnOnce } from '../handshake/emit.ts';

/** Warns of `matter` once in the process, where there is no `onerror`. */
export type WarnUnheard = (matter: string, message: string) => void;

export interface Reporters {
  readonly onError: (error: Error) => void;
  /** For what the operator has to mend: what a client sends wrong is its own business. */
  readonly warnUnheard: WarnUnheard;
}

export function reportersOf(onerror: ((error: Error) => void) | undefined, warn: (message: string) => void): Reporters {
  return {
    onError: (error) => {
      try {
        onerror?.(error);
      } catch {
        // A reporter that throws has nobody to report to.
      }
    },
    warnUnheard: (matter, message) => {
      if (onerror !== undefined) return;
      const advice = 'Give onerror to see every such error; this warning comes once.';
      warnOnce(matter, `mcp-dual-era: ${message.replace(/\.$/, '')}. ${advice}`, warn);
    },
  };
}
