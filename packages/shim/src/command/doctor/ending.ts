/** The processes of a server end with this one, which Ctrl-C does not reach: they are in groups of their own. */
import { endAll, killAll } from './process-group.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export interface Ending {
  /** Never resolves once a signal has come: what was seen until then is no report, and this process is about to end. */
  unlessEnding(): Promise<void>;
  /** Ends the processes that are left, and leaves this one to itself. Never rejects. */
  stop(): Promise<void>;
}

/** @param onSignal - no more is to be started. A second signal ends all of them at once. */
export function endWithThis(onSignal: () => void): Ending {
  let isEnding = false;
  const listeners = Object.entries(SIGNALS).map(([signal, number]) => {
    const end = (): void => process.exit(128 + number);
    const listener = (): void => {
      if (isEnding) end();
      isEnding = true;
      onSignal();
      void endAll().then(end);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  process.on('exit', killAll);
  return {
    unlessEnding: () => (isEnding ? new Promise(() => undefined) : Promise.resolve()),
    async stop() {
      await endAll();
      for (const stop of listeners) stop();
      process.off('exit', killAll);
    },
  };
}
