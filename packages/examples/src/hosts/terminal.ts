/** The keyboard and the screen, one line at a time, whether a person or a pipe is at the other end. */
import { createInterface } from 'node:readline';

export interface Terminal {
  say(text: string): void;
  /** What is typed; undefined when nobody is there any more. */
  ask(prompt: string): Promise<string | undefined>;
  close(): void;
}

export function createTerminal(): Terminal {
  const readline = createInterface({ input: process.stdin });
  // Keeps lines that come before they are asked for, as those of a pipe do.
  const lines = readline[Symbol.asyncIterator]();
  return {
    say: (text) => void process.stdout.write(`${plain(text)}\n`),
    async ask(prompt) {
      process.stdout.write(plain(prompt));
      const { value, done } = await lines.next();
      return done === true ? undefined : String(value).trim();
    },
    close: () => readline.close(),
  };
}

/** What comes from a server may hold commands to the terminal, such as to hide what was written before. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : ''));
}
