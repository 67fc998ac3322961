import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  acceptedContent,
  createMcpHandler as createOfficialHandler,
  createRequestStateCodec,
  McpServer as OfficialServer,
  inputRequired as officialInputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type FormSchema, field, form, inputContext, inputRequired } from 'mcp-dual-era';
import { createMcpHandler } from 'mcp-dual-era/serve';
import { listenNode, type NodeServer } from '../serve/node-server.ts';

/** Every type of field, most of them with a limit. */
const everyField = form({
  name: field.string({ title: 'Name', minLength: 3, maxLength: 5 }),
  contact: field.string({ title: 'Contact', format: 'email' }),
  page: field.string({ title: 'Page', format: 'uri' }),
  day: field.string({ title: 'Day', format: 'date' }),
  freeze: field.string({ title: 'Freeze', format: 'date-time' }),
  share: field.number({ title: 'Share', minimum: 0, maximum: 1 }),
  servers: field.integer({ title: 'Servers', minimum: 1, default: 2 }),
  announce: field.boolean({ title: 'Announce' }),
  urgency: field.choice(['low', 'high'], { title: 'Urgency' }),
  channel: field.choice([
    { const: 'stable', title: 'For everybody' },
    { const: 'beta', title: 'For testers' },
  ]),
  regions: field.choices(['europe', 'asia', 'america'], { title: 'Regions', minItems: 2 }),
  teams: field.choices([{ const: 'docs', title: 'Documentation' }], { title: 'Teams' }),
  note: field.string({ title: 'Note', optional: true }),
});
const ASKED = { message: 'Plan the release.', requestedSchema: everyField };
const NAME = form({ name: field.string() });
const SURE = form({ sure: field.boolean() });

/** As SDK v2 takes it, which does not know the form of this package. */
const plain = (schema: FormSchema) => JSON.parse(JSON.stringify(schema)) as never;

const said = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value ?? null) }] });

/** On SDK v1, for the serving entry. `plan` asks every field; `invite` asks one thing after the other. */
export function createOwnServer(): McpServer {
  const server = new McpServer({ name: 'own', version: '1' });
  server.registerTool('plan', {}, (extra) => {
    const ctx = inputContext(extra);
    if (ctx.round > 0) return said(ctx.accepted('plan'));
    return inputRequired({ inputRequests: { plan: inputRequired.elicit(ASKED) } });
  });
  server.registerTool('invite', {}, (extra) => {
    const ctx = inputContext(extra);
    const name = ctx.requestState<string[]>()?.[0] ?? ctx.accepted('who', NAME)?.name;
    if (name === undefined) {
      const who = inputRequired.elicit({ message: 'Who?', requestedSchema: NAME });
      return inputRequired({ inputRequests: { who } });
    }
    const answer = ctx.accepted('sure', SURE);
    if (answer !== undefined) return said({ name, ...answer });
    const sure = inputRequired.elicit({ message: `${name}, sure?`, requestedSchema: SURE });
    return inputRequired({ inputRequests: { sure }, requestState: [name] });
  });
  return server;
}

const codec = createRequestStateCodec({ key: '0123456789abcdef0123456789abcdef' });

/** The same on SDK v2. */
export function createOfficialServer(): OfficialServer {
  const server = new OfficialServer(
    { name: 'official', version: '1' },
    { requestState: { verify: (state, ctx) => codec.verify(state, ctx) } },
  );
  server.registerTool('plan', {}, (ctx: ServerContext) => {
    const { inputResponses } = ctx.mcpReq;
    if (inputResponses !== undefined) return said(acceptedContent(inputResponses, 'plan'));
    return officialInputRequired({
      inputRequests: { plan: officialInputRequired.elicit({ ...ASKED, requestedSchema: plain(everyField) }) },
    });
  });
  server.registerTool('invite', {}, async (ctx: ServerContext) => {
    const { inputResponses } = ctx.mcpReq;
    const kept = ctx.mcpReq.requestState() as string[] | undefined;
    const name = kept?.[0] ?? acceptedContent<{ name: string }>(inputResponses, 'who')?.name;
    if (name === undefined) {
      const who = officialInputRequired.elicit({ message: 'Who?', requestedSchema: plain(NAME) });
      return officialInputRequired({ inputRequests: { who } });
    }
    const answer = acceptedContent<{ sure: boolean }>(inputResponses, 'sure');
    if (answer !== undefined) return said({ name, ...answer });
    const sure = officialInputRequired.elicit({ message: `${name}, sure?`, requestedSchema: plain(SURE) });
    return officialInputRequired({ inputRequests: { sure }, requestState: await codec.mint([name], ctx) });
  });
  return server;
}

export type HostServerName = 'ours, dual' | 'official v2, modern only';

export async function listenHostServer(name: HostServerName): Promise<NodeServer> {
  if (name === 'official v2, modern only') {
    const handle = toNodeHandler(createOfficialHandler(createOfficialServer, { legacy: 'reject' }));
    return listenNode((request, response) => handle(request as never, response));
  }
  const handler = createMcpHandler(createOwnServer);
  const { url, close } = await listenNode((request, response) => handler.node(request, response));
  return { url, close: () => handler.close().then(close) };
}
