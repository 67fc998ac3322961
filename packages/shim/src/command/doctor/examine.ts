/** Looks at one server: first without a client, then with each kind of client on each era that it speaks. */
import type { Era } from '../../core/revision.ts';
import type { Habits } from './habits.ts';
import {
  bySeverity,
  type ClientKind,
  type Finding,
  isRequired,
  type Report,
  type Requirement,
  type Row,
} from './model.ts';
import { checkNames } from './names.ts';
import { type OpenClient, type ToolCall, withoutConsole } from './open-client.ts';
import { openHandshake } from './open-handshake.ts';
import { openModern } from './open-modern.ts';
import { type Probe, probeHandshake, probeModern } from './probe.ts';
import { openRawHttp, openRawStdio } from './raw-peer.ts';
import { rowFindings } from './row-findings.ts';
import { loaded, PackageMissing, type SdkLoader } from './sdk-clients.ts';
import { processFindings, stdioFindings } from './stdio-findings.ts';
import type { HttpTarget, Look, StdioTarget } from './step.ts';
import { nameOf } from './tell.ts';
import { visit } from './visit.ts';

export interface Examination {
  readonly call: ToolCall | undefined;
  readonly require: Requirement | undefined;
  readonly sdk: SdkLoader;
}

const KINDS: readonly ClientKind[] = ['none', 'form', 'url', 'all'];

/** Never rejects for what a server does. `unreachable`: no era opened. */
export async function examine(
  look: Look,
  { call, require, sdk }: Examination,
): Promise<Report & { readonly unreachable: boolean }> {
  const habits: Habits = { noise: 0, ends: [] };
  const isHttp = look.target.kind === 'http';
  const openRaw = async () =>
    isHttp ? openRawHttp(look as Look<HttpTarget>) : openRawStdio(look as Look<StdioTarget>, habits);
  look.progress('handshake: is it served?');
  const handshake = await probeHandshake(look, openRaw);
  look.progress('modern: is it served?');
  const modern = await probeModern(look, openRaw);
  const isServed = handshake.state === 'served' || modern.state === 'served';
  const findings: Finding[] = [];
  const rows: Row[] = [];
  const hasSessions = handshake.findings.some(({ id, verdict }) => id === 'sessions' && verdict === 'ok');
  const clients: Clients = { look, habits, call, hasSessions };
  const visits = [
    ['handshake', handshake, '@modelcontextprotocol/sdk', handshakeOpener(sdk)],
    ['modern', modern, '@modelcontextprotocol/client', modernOpener(sdk)],
  ] as const;
  for (const [era, probe, name, opener] of visits) {
    const isWanted = isRequired(era, require);
    findings.push(eraFinding(era, probe, { isServed, isWanted }), ...probe.findings);
    if (probe.state !== 'served') {
      const verdict = probe.state === 'refused' && isServed ? 'warning' : 'problem';
      rows.push(...emptyRows(clients, era, { state: probe.state, verdict, note: probe.seen }));
      continue;
    }
    try {
      const open = await loaded(name, opener);
      rows.push(...(await visitAll(clients, era, open)));
    } catch (error) {
      if (!(error instanceof PackageMissing)) throw error;
      rows.push(...emptyRows(clients, era, { state: 'not examined', verdict: 'warning', note: error.message }));
      const cure = 'run it with the package, or install it beside mcp-dual-era';
      // Otherwise a pipeline would take for good what nobody has looked at.
      const verdict = isWanted ? 'problem' : 'warning';
      findings.push({ id: 'package', verdict, seen: error.message, cure, page: 'docs/doctor.md#package' });
    }
  }
  if (isHttp && isServed) {
    look.progress('Host and Origin of others');
    const names = await checkNames(look as Look<HttpTarget>, handshake.state === 'served' ? 'handshake' : 'modern');
    findings.push(...names);
  }
  if (isServed) findings.push(...rowFindings(look, rows), ...toolFindings(look, rows, call));
  if (!isHttp && isServed) findings.push(...processFindings(habits), ...stdioFindings(habits));
  return {
    target: nameOf(look.target),
    rows,
    findings: bySeverity(findings),
    ...(require === undefined ? {} : { require }),
    ...(call === undefined ? {} : { call: { tool: look.tell(call.name, 100) } }),
    unreachable: !isServed,
  };
}

interface Clients {
  readonly look: Look;
  readonly habits: Habits;
  readonly call: ToolCall | undefined;
  readonly hasSessions: boolean;
}

type Open = (clients: Clients, kind: ClientKind) => Promise<OpenClient>;

function handshakeOpener(loader: SdkLoader): () => Promise<Open> {
  return async () => {
    const sdk = await loader.v1();
    return ({ look, habits }, kind) => openHandshake(look, sdk, { kind, habits });
  };
}

function modernOpener(loader: SdkLoader): () => Promise<Open> {
  return async () => {
    const sdk = await loader.v2();
    return ({ look, habits }, kind) => openModern(look, sdk, { kind, habits });
  };
}

async function visitAll(clients: Clients, era: Era, open: Open): Promise<Row[]> {
  const rows: Row[] = [];
  for (const client of kindsOn(clients, era)) {
    clients.look.progress(
      `${era}, client ${client}: ${clients.call === undefined ? 'open and list' : 'open, list and call'}`,
    );
    const { look, call, hasSessions } = clients;
    rows.push(await withoutConsole(() => visit(look, { era, client, call, hasSessions }, () => open(clients, client))));
  }
  return rows;
}

function kindsOn({ look }: Clients, era: Era): readonly ClientKind[] {
  return era === 'handshake' && look.target.kind === 'http' ? [...KINDS, 'stateless'] : KINDS;
}

type Unseen = Pick<Row, 'state' | 'verdict'> & { readonly note: string };

function emptyRows(clients: Clients, era: Era, { state, verdict, note }: Unseen): Row[] {
  return kindsOn(clients, era).map((client) => ({
    era,
    client,
    state,
    verdict,
    capabilities: [],
    lists: {},
    notes: [note],
  }));
}

interface Served {
  /** Whether any era is. */
  readonly isServed: boolean;
  /** Whether --require names this one. */
  readonly isWanted: boolean;
}

function eraFinding(era: Era, { state, seen }: Probe, { isServed, isWanted }: Served): Finding {
  if (state === 'served') return { id: era, verdict: 'ok', seen };
  if (!isServed) {
    const cure = 'see whether it is an MCP server, at this very address, and whether it starts';
    return { id: era, verdict: 'problem', seen: `does not open: ${seen}`, cure, page: 'docs/doctor.md#nothing-opens' };
  }
  const [who, cure] =
    era === 'modern'
      ? ['clients on 2026-07-28', 'serve both eras with mcp-dual-era/serve']
      : ['clients on revisions up to 2025-11-25', 'serve both eras'];
  const verdict = state === 'refused' && !isWanted ? 'warning' : 'problem';
  const what = `${who} are not served${isWanted ? ', which --require asks for' : ''}: ${seen}`;
  return { id: era, verdict, seen: what, cure, page: 'docs/serving.md' };
}

/** A name that is mistyped would be answered with an error, as a refusal is. */
function toolFindings(look: Look, rows: readonly Row[], call: ToolCall | undefined): Finding[] {
  const open = rows.filter(({ state }) => state === 'open');
  if (call === undefined || open.length === 0) return [];
  const name = look.tell(call.name, 100);
  // It may be further on in a list that was not read to its end, or that was not had.
  const isKnown = open.some(
    ({ lists, cut, ended }) => lists.tools?.includes(name) || cut !== undefined || ended !== undefined,
  );
  if (isKnown) return [];
  const cure = 'give --call the name of a tool that the server lists';
  return [
    { id: 'call', verdict: 'problem', seen: `no client is shown a tool ${name}`, cure, page: 'docs/doctor.md#call' },
  ];
}
