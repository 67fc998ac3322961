import type { Json } from './json.ts';

/** One frame of an event stream: a message, or a comment. */
export type Frame = { readonly message: Json } | { readonly comment: string };

/** The frames of an event stream, one at a time: `next()` waits for one, and is undefined at the end. */
export function readFrames(response: Response): { next(): Promise<Frame | undefined> } {
  const frames = iterateFrames(response);
  return {
    async next() {
      const { value, done } = await frames.next();
      return done ? undefined : value;
    },
  };
}

async function* iterateFrames(response: Response): AsyncGenerator<Frame, undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
      if (data.join('') !== '') yield { message: JSON.parse(data.join('\n')) as Json };
      else if (lines[0]?.startsWith(':')) yield { comment: lines[0].slice(1).trim() };
    }
  }
  return undefined;
}
