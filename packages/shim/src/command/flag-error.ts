/** What is wrong with what was given on the command line. */

export class FlagError extends Error {
  override name = 'FlagError';
}
