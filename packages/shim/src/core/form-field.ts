/** Builds the fields of a form, and knows the type of what a person answers to each. */
import type { Choice, FormField } from './embedded-request.ts';
import type { JsonObject } from './json.ts';

/** A field of a form; `Content` is what a person's answer to it comes to. */
export interface Field<Content> {
  readonly schema: FormField;
  readonly isOptional: boolean;
  /** There for the type alone, never at run time. */
  readonly '~content'?: Content;
}

export interface FieldOptions<Value> {
  /** What the person sees beside the field. @defaultValue the field's name, as the client shows it */
  readonly title?: string | undefined;
  /** What the person sees below the field. */
  readonly description?: string | undefined;
  /** Filled in where an accepted form lacks the field. Must itself be a right answer. */
  readonly default?: Value | undefined;
  /** Whether the person may leave the field empty. @defaultValue false */
  readonly optional?: boolean | undefined;
}

export interface StringOptions extends FieldOptions<string> {
  /** In characters (code points), an integer >= 0. */
  readonly minLength?: number | undefined;
  /** In characters (code points), an integer >= 0. */
  readonly maxLength?: number | undefined;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
}

export interface NumberOptions extends FieldOptions<number> {
  /** Inclusive. */
  readonly minimum?: number | undefined;
  /** Inclusive. */
  readonly maximum?: number | undefined;
}

export interface ChoicesOptions<Value> extends FieldOptions<readonly Value[]> {
  /** An integer >= 0. */
  readonly minItems?: number | undefined;
  /** An integer >= 0. */
  readonly maxItems?: number | undefined;
}

/** One of the values to choose from: as it is, or with the title that the person sees in its place. */
export type ChoiceInput = string | { readonly const: string; readonly title: string };

type ValueOf<C extends ChoiceInput> = C extends { readonly const: infer Value extends string } ? Value : C;
// With a default, an optional field is there all the same.
type Answered<Options, Value> = Options extends { readonly optional: true }
  ? Options extends { readonly default: string | number | boolean | readonly string[] }
    ? Value
    : Value | undefined
  : Value;

/** The fields of a form (spec: client/elicitation, requested schema). `form` checks what they are given. */
export interface FieldBuilders {
  string<const Options extends StringOptions>(options?: Options): Field<Answered<Options, string>>;
  number<const Options extends NumberOptions>(options?: Options): Field<Answered<Options, number>>;
  /** A whole number. */
  integer<const Options extends NumberOptions>(options?: Options): Field<Answered<Options, number>>;
  boolean<const Options extends FieldOptions<boolean>>(options?: Options): Field<Answered<Options, boolean>>;
  /** One of `choices`. */
  choice<const C extends ChoiceInput, const Options extends FieldOptions<NoInfer<ValueOf<C>>>>(
    choices: readonly C[],
    options?: Options,
  ): Field<Answered<Options, ValueOf<C>>>;
  /** Any number of `choices`, within the bounds; not before revision 2025-11-25. */
  choices<const C extends ChoiceInput, const Options extends ChoicesOptions<NoInfer<ValueOf<C>>>>(
    choices: readonly C[],
    options?: Options,
  ): Field<Answered<Options, ValueOf<C>[]>>;
}

type Given = FieldOptions<unknown> | undefined;

function build(schema: JsonObject, options: Given): Field<never> {
  const { optional = false, ...members } = options ?? {};
  return { schema: { ...schema, ...members } as unknown as FormField, isOptional: optional };
}

function isTitled(choices: readonly ChoiceInput[]): boolean {
  return Array.isArray(choices) && choices.some((choice) => typeof choice === 'object');
}

// What is no list is left for `form` to find, which knows the name of the field.
function plain(choices: readonly ChoiceInput[]): unknown {
  return Array.isArray(choices) ? [...choices] : (choices ?? null);
}

function titled(choices: readonly ChoiceInput[]): Choice[] {
  return choices.map((choice) => (typeof choice === 'string' ? { const: choice, title: choice } : choice));
}

/** {@inheritDoc FieldBuilders} */
export const field: FieldBuilders = {
  string: (options?: Given) => build({ type: 'string' }, options),
  number: (options?: Given) => build({ type: 'number' }, options),
  integer: (options?: Given) => build({ type: 'integer' }, options),
  boolean: (options?: Given) => build({ type: 'boolean' }, options),
  choice: (choices: readonly ChoiceInput[], options?: Given) =>
    build({ type: 'string', ...(isTitled(choices) ? { oneOf: titled(choices) } : { enum: plain(choices) }) }, options),
  choices: (choices: readonly ChoiceInput[], options?: Given) => {
    const items = isTitled(choices) ? { anyOf: titled(choices) } : { type: 'string', enum: plain(choices) };
    return build({ type: 'array', items }, options);
  },
};
