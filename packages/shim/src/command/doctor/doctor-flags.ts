/** The flags of `mcp-dual-era doctor`. */
import { describeValue, isJsonObject, type JsonObject } from '../../core/json.ts';
import { FlagError } from '../flag-error.ts';
import { readDuration, wrongFlag } from '../flag-values.ts';
import { readTokens } from '../read-tokens.ts';
import type { Requirement } from './model.ts';
import type { Target } from './step.ts';

export const DOCTOR_HELP = `Usage: mcp-dual-era doctor [flags] URL
       mcp-dual-era doctor [flags] -- COMMAND ARGUMENTS...

Opens an MCP server on each era and with each kind of client, and prints what a person there would meet.
It lists, and calls no tool unless --call names one. The command is started once for each connection.

  --call NAME            calls this tool, once for each era and kind of client; every question is declined
  --arguments JSON       the arguments of that call, as a JSON object; {} unless given
  --header 'NAME: VALUE' sent with every request to the URL; may be given more than once; never printed
  --require ERA          handshake, modern or both: it is a problem, and no warning, when that is not served
  --timeout TIME         how long each step may take; 10s unless given
  --json                 JSON instead of a table
  --verbose              says on stderr what is being done, on a terminal or not
  --help                 this text, as -h does

TIME is 500ms, 10s or 1m. Ends with 0 (nothing is wrong, warnings allowed), 1 (there are problems), 2 (these flags are
wrong) or 3 (the server could not be opened on any era).
`;

const FLAGS = {
  texts: ['call', 'arguments', 'header', 'require', 'timeout'],
  toggles: ['json', 'verbose', 'help'],
  repeatable: ['header'],
};
const LONGEST_STEP = 600_000;

export interface DoctorFlags {
  readonly target: Target;
  readonly call?: { readonly name: string; readonly arguments: JsonObject };
  /** What has to be served. */
  readonly require?: Requirement;
  readonly timeout: number;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
}

/** @throws FlagError for what is wrong. No message has the value of a header in it. */
export function readDoctorFlags(args: readonly string[]): DoctorFlags | 'help' {
  const end = args.indexOf('--');
  const command = end < 0 ? undefined : args.slice(end + 1);
  const { given, places } = readTokens(end < 0 ? args : args.slice(0, end), FLAGS);
  if (given.has('help')) return 'help';
  const headers = (given.get('header') ?? []).map(readHeader);
  const [timeout = '10s'] = given.get('timeout') ?? [];
  const call = readCall(given.get('call')?.[0], given.get('arguments')?.[0]);
  const require = readRequirement(given.get('require')?.[0]);
  return {
    target: readTarget(places, command, headers),
    ...(call === undefined ? {} : { call }),
    ...(require === undefined ? {} : { require }),
    timeout: readDuration('--timeout', timeout, LONGEST_STEP),
    isJson: given.has('json'),
    isVerbose: given.has('verbose'),
  };
}

type Header = readonly [name: string, value: string];

function readTarget(places: readonly string[], command: readonly string[] | undefined, headers: Header[]): Target {
  const wanted = 'a server must be one URL, or a command after --';
  if (places.length > 0 && command !== undefined) throw new FlagError(`${wanted}, got both`);
  const [place, ...more] = places;
  if (more.length > 0)
    throw new FlagError(`${wanted}, got ${describeValue(more[0]?.replace(/\?.*/s, '?...'))} as well`);
  if (command !== undefined) {
    const [program, ...args] = command;
    if (program === undefined || program === '') throw new FlagError(`${wanted}, got no command`);
    if (headers.length > 0) throw new FlagError('--header must be given with a URL, got a command');
    return { kind: 'stdio', command: program, args };
  }
  if (place === undefined) throw new FlagError(`${wanted}, got neither`);
  return { kind: 'http', url: readUrl(place), headers };
}

function readUrl(text: string): URL {
  const wanted = 'a server must be an http or https URL (a command comes after --)';
  // What is in a query may be secret.
  if (!URL.canParse(text)) throw new FlagError(`${wanted}, got ${describeValue(text.replace(/\?.*/s, '?...'))}`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FlagError(`${wanted}, got ${url.protocol}`);
  if (url.username !== '' || url.password !== '') {
    throw new FlagError('a URL must have no user name or password (give --header instead), got one that has');
  }
  url.hash = '';
  return url;
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
/** The doctor needs these for itself. */
const OWN = /^(?:host|origin|accept|content-.*|transfer-encoding|connection|mcp-.*|last-event-id)$/i;

function readHeader(text: string): Header {
  const [, name, value = ''] = HEADER.exec(text) ?? [];
  if (name === undefined) throw new FlagError("--header must be 'Name: value', got something else");
  if (OWN.test(name)) throw wrongFlag('--header', 'one that the protocol leaves to you', name);
  return [name, value.trim()];
}

function readRequirement(text: string | undefined): Requirement | undefined {
  if (text === undefined || text === 'handshake' || text === 'modern' || text === 'both') return text;
  throw wrongFlag('--require', 'handshake, modern or both', text);
}

function readCall(name: string | undefined, text: string | undefined): DoctorFlags['call'] {
  if (name === undefined) {
    if (text === undefined) return undefined;
    throw new FlagError('--arguments must be given with --call, got it alone');
  }
  if (name === '') throw wrongFlag('--call', 'the name of a tool', name);
  const parsed = text === undefined ? {} : parse(text);
  if (isJsonObject(parsed)) return { name, arguments: parsed };
  throw new FlagError(`--arguments must be a JSON object, got ${describeValue(parsed)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FlagError('--arguments must be a JSON object, got other text', { cause });
  }
}
