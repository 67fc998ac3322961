/**
 * Stands in front of the pool, as a load balancer would: a session goes to a process that has none, and its requests stay
 * there. That is the "full availability" which Erlang B takes for granted: no call is refused while a slot is free.
 *
 * It goes by the session id in the header, and not by the connection, since a client opens several connections at once, and
 * a proxy sends many clients over one. So each request is read here and sent on, and connections are not handed over.
 *
 * Left out: a client that goes without a word keeps its place taken here, although the process ends the session in time.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';

interface Place {
  readonly port: number;
  /** From the arrival of `initialize` on, so that two callers at once do not go to the same one. */
  sessions: number;
}

// #region router
export function createRouter(ports: readonly number[]): Server {
  const places: Place[] = ports.map((port) => ({ port, sessions: 0 }));
  const homes = new Map<string, Place>();
  let turns = 0;

  /** Where no place is free, any will do: its holds say `busy`. */
  const freePlace = (): Place | undefined => {
    turns += 1;
    return places.find(({ sessions }) => sessions === 0) ?? places[turns % places.length];
  };

  return createServer((request, response) => {
    const id = idOf(request);
    const place = id === undefined ? freePlace() : homes.get(id);
    if (place === undefined) return void response.writeHead(404).end();
    if (id === undefined) place.sessions += 1;
    let opened: string | undefined;
    forward(request, response, place.port, (answer) => {
      if (id === undefined) opened = idOf(answer);
      if (opened !== undefined) homes.set(opened, place);
      // The client has ended its session, or the process has forgotten it.
      if (id !== undefined && hasEnded(request, answer) && homes.delete(id)) place.sessions -= 1;
    });
    response.once('close', () => {
      // No session was opened: the place was taken for this one request.
      if (id === undefined && opened === undefined) place.sessions -= 1;
    });
  });
}
// #endregion router

function hasEnded({ method }: IncomingMessage, { statusCode }: IncomingMessage): boolean {
  return statusCode === 404 || (method === 'DELETE' && statusCode === 200);
}

function idOf({ headers }: IncomingMessage): string | undefined {
  return headers['mcp-session-id'] as string | undefined;
}

/** Sends a request on, and the answer back, as it comes: streams too. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  onAnswer: (answer: IncomingMessage) => void,
): void {
  const { method, url: path, headers } = request;
  // A connection for each request: one that is kept may be closed at the other end just when it is used again.
  const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, connection: 'close' }, agent: false };
  const forwarded = send(options, (answer) => {
    onAnswer(answer);
    const { connection: _hop, ...others } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, others);
    // A stream may have nothing to say for a long time.
    response.flushHeaders();
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  response.once('close', () => forwarded.destroy());
  request.pipe(forwarded);
}
