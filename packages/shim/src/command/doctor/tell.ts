/** `Look.tell`: what a server said, made fit to print; and the name of the place where it is. */
import { describeValue } from '../../core/json.ts';
import { messageOf } from './error-words.ts';
import { MASK, maskerOf } from './mask.ts';
import { type Environment, looksRandom, secretsOf } from './secrets.ts';
import type { Look, Target } from './step.ts';

// Control characters, those that turn the direction of a line, and those that nobody sees.
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu;
const LONGEST = 200;
/** What is behind it need not be looked at. */
const LOOKED_AT = 8_192;
/** What stands at its end may be the start of a secret, and not be known for one. */
const MAY_BE_CUT = 2_000;

/** @param env - of the process that is started. */
export function teller(target: Target, env: Environment): Look['tell'] {
  const mask = maskerOf(secretsOf(target, env));
  return (said, most = LONGEST) => {
    const whole = typeof said === 'string' ? said : said instanceof Error ? messageOf(said) : describeValue(said);
    const masked = mask(whole.slice(0, LOOKED_AT));
    const isCut = whole.length > LOOKED_AT;
    const known = isCut ? Math.max(masked.lastIndexOf(MASK) + MASK.length, masked.length - MAY_BE_CUT) : masked.length;
    const text = masked.slice(0, known).replaceAll(UNFIT, ' ').trim();
    const letters = [...text];
    return letters.length > most || isCut ? `${letters.slice(0, most).join('')}...` : text;
  };
}

/** Where the server is, without what may be secret there. */
export function nameOf(target: Target): string {
  if (target.kind === 'stdio') return target.command.replace(/^.*[\\/]/, '');
  const { origin, pathname, search } = target.url;
  const path = pathname.split('/').map((segment) => (looksRandom(segment) ? MASK : segment));
  return `${origin}${path.join('/')}${search === '' ? '' : '?...'}`;
}
