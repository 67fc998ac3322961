/** Forms made with `field`, with a right answer to each field and wrong ones, for property tests. */
import fc, { type Arbitrary } from 'fast-check';
import { type ChoiceInput, type Field, field } from 'mcp-dual-era';
import { HOSTILE_NAMES } from './arbitraries.ts';

/** A field, a right answer to it, and values each wrong in one way only. */
export interface Sample {
  readonly field: Field<unknown>;
  readonly right: unknown;
  readonly wrong: readonly unknown[];
  readonly isOptional: boolean;
  readonly default: unknown;
}

const SMILE = '\u{1f600}';
const NO_TEXT = [null, {}, [], [1], 7, true];

interface Common {
  readonly title: string | undefined;
  readonly optional: boolean;
  readonly hasDefault: boolean;
}
const common: Arbitrary<Common> = fc.record({
  title: fc.option(fc.string(), { nil: undefined }),
  optional: fc.boolean(),
  hasDefault: fc.boolean(),
});

function sample<Value>(
  { title, optional, hasDefault }: Common,
  right: Value,
  wrong: readonly unknown[],
  make: (options: { title: string | undefined; optional: boolean; default: Value | undefined }) => Field<unknown>,
): Sample {
  const value = hasDefault ? right : undefined;
  return { field: make({ title, optional, default: value }), right, wrong, isOptional: optional, default: value };
}

const text = fc.tuple(common, fc.nat(3), fc.integer({ min: 3, max: 6 })).chain(([said, minLength, maxLength]) =>
  fc.string({ unit: 'binary', minLength, maxLength }).map((right) => {
    const tooShort = minLength === 0 ? [] : [SMILE.repeat(minLength - 1)];
    const wrong = [...NO_TEXT, ...tooShort, SMILE.repeat(maxLength + 1)];
    return sample(said, right, wrong, (options) => field.string({ ...options, minLength, maxLength }));
  }),
);

const FORMATTED = {
  email: ['ada@example.com', ['ada', 'ada@', '@example.com', 'a b@example.com']],
  uri: ['https://a.example/b', ['a.example', 'https://a b', ':x']],
  date: ['2024-02-29', ['2023-02-29', '2024-2-9', '24-02-29', '2024-13-01']],
  'date-time': ['2024-02-29T10:00:00Z', ['2024-02-29', '2024-02-29T10:00:00', '2024-02-29T24:00:00Z']],
} as const;
const formatted = fc.tuple(common, fc.constantFrom('email', 'uri', 'date', 'date-time')).map(([said, format]) => {
  const [right, wrong] = FORMATTED[format as keyof typeof FORMATTED];
  return sample<string>(said, right, [...NO_TEXT, '', ...wrong], (options) =>
    field.string({ ...options, format: format as keyof typeof FORMATTED }),
  );
});

const numeric = fc
  .tuple(common, fc.boolean(), fc.integer({ min: -50, max: 0 }), fc.integer({ min: 0, max: 50 }))
  .chain(([said, isWhole, minimum, maximum]) =>
    (isWhole ? fc.integer({ min: minimum, max: maximum }) : fc.double({ min: minimum, max: maximum, noNaN: true })).map(
      (right) => {
        const wrong = [
          null,
          {},
          [1],
          '1',
          true,
          minimum - 1,
          maximum + 1,
          ...(isWhole ? [minimum + 0.5 * (maximum - minimum) + 0.25] : []),
        ];
        const make = isWhole ? field.integer : field.number;
        return sample(said, right, wrong, (options) => make({ ...options, minimum, maximum }));
      },
    ),
  );

const flag = fc
  .tuple(common, fc.boolean())
  .map(([said, right]) => sample(said, right, [null, {}, [], 0, 1, '', 'true'], (options) => field.boolean(options)));

const values = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 4 }), { minLength: 1, maxLength: 4 });
const offered = (list: readonly string[], isTitled: boolean): readonly ChoiceInput[] =>
  isTitled ? list.map((value, index) => ({ const: value, title: `Choice ${index}` })) : list;

const choice = fc.tuple(common, values, fc.boolean()).chain(([said, list, isTitled]) =>
  fc.constantFrom(...list).map((right) => {
    const wrong = [...NO_TEXT, 'not one', 'Choice 0', 'constructor', [right]];
    return sample(said, right, wrong, (options) => field.choice(offered(list, isTitled), options));
  }),
);

const choices = fc
  .tuple(common, values, fc.boolean(), fc.nat(2), fc.integer({ min: 2, max: 4 }))
  .chain(([said, list, isTitled, minItems, maxItems]) =>
    fc.array(fc.constantFrom(...list), { minLength: minItems, maxLength: maxItems }).map((right) => {
      const [first = ''] = list;
      const tooFew = minItems === 0 ? [] : [Array(minItems - 1).fill(first)];
      const foreign = [...Array(Math.max(minItems - 1, 0)).fill(first), 'not one'];
      const wrong = [
        null,
        {},
        7,
        true,
        'text',
        [[first], [first]],
        [1, 2],
        foreign,
        ...tooFew,
        Array(maxItems + 1).fill(first),
      ];
      return sample(said, right, wrong, (options) =>
        field.choices(offered(list, isTitled), { ...options, minItems, maxItems }),
      );
    }),
  );

/** The fields of a form, by name. */
export const sampledForm: Arbitrary<[string, Sample][]> = fc.uniqueArray(
  fc.tuple(
    fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...HOSTILE_NAMES)),
    fc.oneof<Arbitrary<Sample>[]>(text, formatted, numeric, flag, choice, choices),
  ),
  { selector: ([name]) => name, minLength: 1, maxLength: 5 },
);
