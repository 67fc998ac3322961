/** The flags of `mcp-dual-era size`. */
import { readTokens, unknownFlag } from './read-tokens.ts';

export const SIZE_HELP = `Usage: mcp-dual-era size --calls-per-second 2 --answer-time 20s --rounds 2 --round-timeout 120s --refused 1%
       mcp-dual-era size --from metrics.json --refused 1%

How many slots a pool of held calls needs: the fewest that keep the share of refused (or delayed) calls.

  --calls-per-second N   calls that begin per second, on average
  --answer-time TIME     how long the answers of one round take, on average
  --answer-p95 TIME      95 % of the rounds take at most so long: lognormal; without it, exponential
  --rounds N             rounds per call, on average; 1 unless given, need not be an integer
  --round-timeout TIME   the option roundTimeout; 600s unless given
  --max-rounds N         the option maxRounds; 8 unless given
  --request-limit TIME   how long the platform lets a request run: warns where a call may last longer
  --refused SHARE        the share of calls that may be refused (Erlang B), or
  --delayed SHARE        the share of calls that may have to wait for a slot (Erlang C)
  --from FILE            the JSON of holds.stats() or handler.stats(): calls per second, rounds and answer times as
                         measured, where no flag gives them
  --json                 JSON instead of a table; times in milliseconds, shares between 0 and 1
  --plot FILE.svg        draws slots against the share; needs echarts
  --help                 this text, as -h does

TIME is 500ms, 20s, 2m or 1.5h; SHARE is 1% or 0.01.
`;

const TEXTS = [
  'calls-per-second',
  'answer-time',
  'answer-p95',
  'rounds',
  'round-timeout',
  'max-rounds',
  'request-limit',
  'refused',
  'delayed',
  'from',
  'plot',
] as const;
const FLAGS = { texts: TEXTS, toggles: ['json', 'help'] };

type TextFlag = (typeof TEXTS)[number];

export interface SizeFlags {
  has(flag: TextFlag): boolean;
  /** What `read` makes of what was given for a flag, if it was. */
  read<Value>(flag: TextFlag, read: (flag: string, text: string) => Value): Value | undefined;
  readonly isJson: boolean;
  readonly isHelp: boolean;
}

/** @throws FlagError for a flag that is not known, was given twice, or has a value too many or too few. */
export function readSizeFlags(args: readonly string[]): SizeFlags {
  const { given, places } = readTokens(args, FLAGS);
  const [place] = places;
  if (place !== undefined) throw unknownFlag(place, FLAGS);
  return {
    has: (flag) => given.has(flag),
    read: (flag, read) => {
      const [value] = given.get(flag) ?? [];
      return value === undefined ? undefined : read(`--${flag}`, value);
    },
    isJson: given.has('json'),
    isHelp: given.has('help'),
  };
}
