import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees what nothing holds any more, in a process that was started without `--expose-gc` too. */
export const collectGarbage = runInNewContext('gc') as () => void;
