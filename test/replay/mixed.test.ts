import { inputContext, inputRequired } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { textOf } from '../serve/modern-message.ts';
import { accepted, askText, TEXT_FORM } from './questions.ts';
import { type Act, type Person, play, serveBody } from './replay-session.ts';

const askBack = (message: string) => inputRequired.elicit({ message, requestedSchema: TEXT_FORM });
const textUnder = ({ extra }: Act, key: string): unknown => inputContext(extra).accepted(key)?.['text'];

/** Says yes to what is confirmed, and shouts back everything else. */
const person: Person = ({ params }) =>
  'confirmed' in params.requestedSchema.properties
    ? { action: 'accept', content: { confirmed: true } }
    : accepted(String(params.message).toUpperCase());

describe.each(['newest', 'oldest'] as const)(
  '[P1g] a handler that asks in mid-body and returns asks too (%s SDK v1)',
  (sdk) => {
    it('keeps the answers in mid-body over a returned ask', async () => {
      const served = serveBody(
        async (act) => {
          const first = await askText(act, 'first');
          const second = textUnder(act, 'second');
          if (second === undefined) return inputRequired({ inputRequests: { second: askBack('second') } });
          return `${first} ${second}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, person);
      expect(texts).toEqual([['first'], ['second']]);
      expect(textOf(answer)).toBe('FIRST SECOND');
    });

    it('keeps the answers to a returned ask over a question in mid-body', async () => {
      const served = serveBody(
        async (act) => {
          const first = textUnder(act, 'first');
          if (first === undefined) return inputRequired({ inputRequests: { first: askBack('first') } });
          return `${first} ${await askText(act, 'second')}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, person, { maxRounds: 4 });
      expect(texts).toEqual([['first'], ['second']]);
      expect(textOf(answer)).toBe('FIRST SECOND');
    });

    it('keeps over a question in mid-body that an answer to a returned ask could not be read', async () => {
      const served = serveBody(
        async (act) => {
          const { kind, ...why } = inputContext(act.extra).response('first') as { kind: string; reason?: string };
          if (kind === 'missing') return inputRequired({ inputRequests: { first: askBack('first') } });
          return `${kind} ${why.reason} ${await askText(act, 'second')}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, (question, key) =>
        key === 'first' ? { action: 'maybe' } : person(question, key),
      );
      expect(texts).toEqual([['first'], ['second']]);
      expect(textOf(answer)).toBe('failed malformed SECOND');
    });

    it('keeps its own state over a question in mid-body', async () => {
      const served = serveBody(
        async (act) => {
          const state = inputContext(act.extra).requestState<{ step: number }>();
          if (state === undefined) {
            return inputRequired({ inputRequests: { first: askBack('first') }, requestState: { step: 1 } });
          }
          return `${state.step} ${await askText(act, 'second')}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, person, { maxRounds: 4 });
      expect(texts).toEqual([['first'], ['second']]);
      expect(textOf(answer)).toBe('1 SECOND');
    });

    it('counts returned asks alone as rounds, so that it reads the same as in the handshake era', async () => {
      const served = serveBody(
        async (act) => {
          const first = await askText(act, 'first');
          if (inputContext(act.extra).round === 0)
            return inputRequired({ inputRequests: { second: askBack('second') } });
          return `${first} ${textUnder(act, 'second')} ${inputContext(act.extra).round}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, person);
      expect(texts).toEqual([['first'], ['second']]);
      expect(textOf(answer)).toBe('FIRST SECOND 1');
    });

    it('keeps a decision over a question in mid-body', async () => {
      const served = serveBody(
        async (act) => {
          const { ask, decision } = inputContext(act.extra).confirm('sure', { message: 'Sure?' });
          if (ask !== undefined) return ask;
          return `${decision} ${await askText(act, 'why')} ${await askText(act, 'when')}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, person);
      expect(texts).toEqual([['Sure?'], ['why'], ['when']]);
      expect(textOf(answer)).toBe('yes WHY WHEN');
    });

    it('confirms after a question in mid-body', async () => {
      const served = serveBody(
        async (act) => {
          const why = await askText(act, 'why');
          const { ask, decision } = inputContext(act.extra).confirm('sure', { message: `Sure, ${why}?` });
          return ask ?? `${decision} ${await askText(act, 'when')}`;
        },
        { sdk },
      );
      const { texts, answer } = await play(served, person);
      expect(texts).toEqual([['why'], ['Sure, WHY?'], ['when']]);
      expect(textOf(answer)).toBe('yes WHEN');
    });

    it('does not read an answer to a question in mid-body as one to a returned ask', async () => {
      const served = serveBody(
        async (act) => {
          const why = await askText(act, 'why');
          return `${why} ${JSON.stringify(inputContext(act.extra).responses ?? null)}`;
        },
        { sdk },
      );
      const { answer } = await play(served, person);
      expect(textOf(answer)).toBe('WHY null');
    });
  },
);
