import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Packed, packForConsumer } from '../support/packed.ts';

const require = createRequire(import.meta.url);

/** Each has one zod, the consumer's and the package's: what it was given in a registry is known to both. */
const CONSUMERS = [
  ['zod 4', 'zod', 'zod'],
  ['the oldest zod 4', 'zod-v4-oldest', 'zod'],
  ['zod/v4 of zod 3.25', 'zod-v3', 'zod/v4'],
] as const;

const script = (zod: string): string => `
  import * as z from '${zod}';
  import { acceptedContent, inputRequired } from 'mcp-dual-era';
  const schema = z.object({
    mail: z.email().meta({ title: 'E-mail', description: 'To write to' }),
    count: z.coerce.number().int().min(1).default(2),
    days: z.array(z.enum(['sat', 'sun'])).optional().meta({ title: 'Days' }),
  }).refine(({ count }) => count < 9);
  const read = (content) => acceptedContent({ q: { action: 'accept', content } }, 'q', schema);
  console.log(JSON.stringify({
    asked: inputRequired.elicit({ message: 'm', requestedSchema: schema }).params.requestedSchema,
    right: read({ mail: 'ada@example.com', count: '3' }),
    wrong: [read({ mail: 'ada@example.com', count: 9 }), read({})].map((content) => content === undefined),
  }));
`;

describe.each(CONSUMERS)('[A3] [A5] the packed package beside %s', (_name, installed, zod) => {
  let packed: Packed;
  beforeAll(() => {
    packed = packForConsumer(dirname(require.resolve(`${installed}/package.json`)));
  }, 60_000);
  afterAll(() => packed?.remove());

  it('asks a zod object with its titles, and reads the answer with it', () => {
    const args = ['--input-type=module', '-e', script(zod)];
    const output = execFileSync(process.execPath, args, { cwd: packed.directory, encoding: 'utf8', stdio: 'pipe' });
    expect(JSON.parse(output)).toEqual({
      asked: {
        type: 'object',
        properties: {
          mail: { type: 'string', format: 'email', title: 'E-mail', description: 'To write to' },
          count: { type: 'integer', minimum: 1, default: 2 },
          days: { type: 'array', items: { type: 'string', enum: ['sat', 'sun'] }, title: 'Days' },
        },
        required: ['mail'],
      },
      right: { mail: 'ada@example.com', count: 3 },
      wrong: [true, true],
    });
  });
});
