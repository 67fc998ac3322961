/** Of what a process wrote to stderr: the line that says why it ended. */

/** `TypeError: ...`, `Error [CODE]: ...`, `requests.exceptions.HTTPError: ...`. */
const ERROR = /^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: /;
const NPM_ERROR = /^npm (?:error|ERR!) code /;
/** Where the error was, what its object has, and what Node.js and npm add at the end. */
const BESIDE = /^(?:\s+at |Node\.js v\d|npm (?:error|ERR!) A complete log|[\s{}[\]()^]*$)/;

/** Empty when there is none. */
export function lastWords(said: string): string {
  const lines = said.split('\n').filter((line) => !BESIDE.test(line));
  return (
    lines.findLast((line) => ERROR.test(line)) ??
    lines.find((line) => NPM_ERROR.test(line)) ??
    lines.at(-1) ??
    ''
  ).trim();
}
