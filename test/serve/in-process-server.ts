import { PassThrough } from 'node:stream';
import type { ServeOptions, ServerFactory } from 'mcp-dual-era/serve';
import { serveStreams } from '../../packages/shim/src/serving/stdio.ts';
import { type StdioPeer, stdioPeer } from '../support/stdio-peer.ts';

export interface PipedServer extends StdioPeer {
  readonly stdin: NodeJS.WritableStream;
}

/** Serves over a pipe within this process, whose code is measured for coverage. It "exits" when its connection is over. */
export function serveInProcess(factory: ServerFactory, options: ServeOptions = {}): PipedServer {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const { closed } = serveStreams({ input: stdin, output: stdout }, factory, options);
  void closed.then(() => stdout.end());
  const once = (_event: 'exit', exit: (code: number) => void): unknown => stdout.once('close', () => exit(0));
  return { ...stdioPeer({ stdin, stdout, once }), stdin };
}
