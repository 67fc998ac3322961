/** The options of a connection, resolved once and loudly. */
import { integer, knownOptions, LONGEST_DELAY, object, oneOf } from '../core/option-checks.ts';

export interface ConnectOptions {
  /**
   * `'auto'`: the modern revision where the server speaks it, else the handshake. `'modern'` and `'handshake'` pin.
   * @defaultValue 'auto'
   */
  readonly mode?: 'auto' | 'modern' | 'handshake' | undefined;
  /**
   * What becomes of an ask. `'answer'`: the handlers of the client meet it, and its caller sees one call and one result.
   * `'return'`: `callTool`, `getPrompt` and `readResource` of this package give it to their caller, to answer by hand.
   * @defaultValue 'answer'
   */
  readonly inputRequired?: 'answer' | 'return' | undefined;
  /** With `'answer'`: rounds per call; the ask after the last one ends the call. An integer >= 1. @defaultValue 10 */
  readonly maxRounds?: number | undefined;
  /**
   * How long a server may take to say which era it speaks, in milliseconds, before a command counts as one of the
   * handshake era, and a URL as out of order. 1 to 2 147 483 647. @defaultValue 10 000
   */
  readonly probeTimeout?: number | undefined;
}

export interface ResolvedConnectOptions {
  readonly mode: 'auto' | 'modern' | 'handshake';
  readonly inputRequired: 'answer' | 'return';
  readonly maxRounds: number;
  readonly probeTimeout: number;
}

/** @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`. */
export function resolveConnectOptions(options: ConnectOptions = {}): ResolvedConnectOptions {
  object('options', options);
  knownOptions('options', options, ['mode', 'inputRequired', 'maxRounds', 'probeTimeout']);
  const { mode = 'auto', inputRequired = 'answer', maxRounds = 10, probeTimeout = 10_000 } = options;
  return {
    mode: oneOf('mode', mode, ['auto', 'modern', 'handshake']),
    inputRequired: oneOf('inputRequired', inputRequired, ['answer', 'return']),
    maxRounds: integer('maxRounds', maxRounds),
    probeTimeout: integer('probeTimeout', probeTimeout, LONGEST_DELAY),
  };
}
