import { describe, expect, it } from 'vitest';
import {
  type Body,
  type NodeRequest,
  readNodeBody,
  readWebBody,
  type WebRequest,
} from '../../packages/shim/src/handshake/http-body.ts';

const LONGEST_BODY = 16_777_216;
const SHORT_BODY = 16_384;

async function* inChunks(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A JSON text of `length` bytes. */
const jsonOf = (length: number): Uint8Array => Buffer.from(`"${'x'.repeat(length - 2)}"`);

interface Source {
  readonly read: (body: AsyncIterable<Uint8Array>) => Promise<Body>;
  readonly name: string;
}

const SOURCES: readonly Source[] = [
  {
    name: 'node',
    read: (body) => readNodeBody({ method: 'POST', headers: {}, iterator: () => body }),
  },
  {
    name: 'web',
    read: (body) => readWebBody({ method: 'POST', body } as WebRequest),
  },
];

describe.each(SOURCES)('the body of a $name request', ({ read }) => {
  it('is JSON, whatever its chunks', async () => {
    const text = Buffer.from('{"name":"Zoë"}');
    expect(await read(inChunks(text.subarray(0, 12), text.subarray(12)))).toEqual({ value: { name: 'Zoë' } });
  });

  it.each(['', 'a=b', '{"open":'])('is text where it is no JSON: %j', async (text) => {
    expect(await read(inChunks(Buffer.from(text)))).toEqual({ value: text });
  });

  it('comes with its bytes too where it is not short', async () => {
    expect(await read(inChunks(jsonOf(SHORT_BODY)))).toEqual({ value: 'x'.repeat(SHORT_BODY - 2) });
    const long = jsonOf(SHORT_BODY + 1);
    expect(await read(inChunks(long))).toEqual({ value: 'x'.repeat(SHORT_BODY - 1), bytes: long });
  });

  it('is too long beyond 16 MiB, and is not read on', async () => {
    const half = Buffer.alloc(LONGEST_BODY / 2, 'x');
    const whole = await read(inChunks(half, half));
    expect(typeof whole === 'object' && whole.bytes?.byteLength).toBe(LONGEST_BODY);
    let isReadOn = false;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield* [half, half, Buffer.from('x')];
      isReadOn = true;
    };
    expect(await read(endless())).toBe('too-long');
    expect(isReadOn).toBe(false);
  });

  it('is broken off where its stream fails', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      throw new Error('aborted');
    };
    expect(await read(failing())).toBe('broken-off');
  });
});

it('the body of a web request may be none', async () => {
  expect(await readWebBody({ method: 'POST', body: null } as WebRequest)).toEqual({ value: '' });
});

describe('the stream of a node request', () => {
  it('is not destroyed where it is left early: the answer goes over the same socket', async () => {
    const asked: unknown[] = [];
    const request: NodeRequest = {
      headers: {},
      iterator: (options) => {
        asked.push(options);
        return inChunks(Buffer.from('1'));
      },
    };
    expect(await readNodeBody(request)).toEqual({ value: 1 });
    expect(asked).toEqual([{ destroyOnReturn: false }]);
  });

  it('is not read where the platform has kept the body', async () => {
    const iterator = (): never => {
      throw new Error('read before');
    };
    expect(await readNodeBody({ headers: {}, rawBody: Buffer.from('[2]'), iterator })).toEqual({ value: [2] });
  });
});
