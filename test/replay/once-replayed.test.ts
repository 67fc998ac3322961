import { setImmediate as turn } from 'node:timers/promises';
import { once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { askText, shouting } from './questions.ts';
import { play, serveBody } from './replay-session.ts';

describe.each(['newest', 'oldest'] as const)(
  '[P3b] a handler that counts before, between and after two questions (%s)',
  (sdk) => {
    it('counts in every run without once', async () => {
      const counts = { before: 0, between: 0, after: 0 };
      const served = serveBody(
        async (act) => {
          counts.before += 1;
          const first = await askText(act, 'a');
          counts.between += 1;
          const second = await askText(act, 'b');
          counts.after += 1;
          return first + second;
        },
        { sdk },
      );
      const { answer } = await play(served, shouting);
      expect([textOf(answer), counts]).toEqual(['AB', { before: 3, between: 2, after: 1 }]);
    });

    it('counts once with once, and reads what it counted in every run', async () => {
      const counts = { before: 0, between: 0, after: 0 };
      const count = (act: Parameters<Parameters<typeof serveBody>[0]>[0], name: keyof typeof counts) =>
        once(act.extra, name, () => {
          counts[name] += 1;
          return counts[name];
        });
      const served = serveBody(
        async (act) => {
          const before = await count(act, 'before');
          const first = await askText(act, 'a');
          const between = await count(act, 'between');
          const second = await askText(act, 'b');
          const after = await count(act, 'after');
          return `${first}${second} ${before}${between}${after}`;
        },
        { sdk },
      );
      const { answer } = await play(served, shouting);
      expect([textOf(answer), counts]).toEqual(['AB 111', { before: 1, between: 1, after: 1 }]);
    });

    it('counts once where the effect is under way when the run is suspended', async () => {
      let count = 0;
      const served = serveBody(
        async (act) => {
          const effect = once(act.extra, 'slow', async () => {
            count += 1;
            for (let turns = 0; turns < 5; turns += 1) await turn();
            return count;
          });
          const [name, counted] = await Promise.all([askText(act, 'a'), effect]);
          return `${name}${counted}`;
        },
        { sdk },
      );
      const { answer } = await play(served, shouting);
      expect([textOf(answer), count]).toEqual(['A1', 1]);
    });

    it('counts once where a run goes on after it was suspended', async () => {
      let count = 0;
      const served = serveBody(
        async (act) => {
          const name = await askText(act, 'a').catch(() => 'nobody');
          await turn();
          await once(act.extra, 'after', () => {
            count += 1;
          });
          return name;
        },
        { sdk },
      );
      const { answer } = await play(served, shouting);
      await turn();
      expect([textOf(answer), count]).toEqual(['A', 1]);
    });
  },
);
