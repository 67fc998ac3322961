/** Builds the schema of a form out of its fields, and reads an answer with it. */
import { contentIssues, defaultIssue, withDefaults } from './check-content.ts';
import { fieldProblem } from './check-form.ts';
import type { FormField, FormSchema } from './embedded-request.ts';
import type { Field } from './form-field.ts';
import { describeValue, isJsonObject } from './json.ts';
import type { StandardSchema } from './standard-schema.ts';

type Fields = Readonly<Record<string, Field<unknown>>>;
type ContentOf<F> = F extends Field<infer Content> ? Content : never;
type Flat<T> = { [Key in keyof T]: T[Key] };

/** What an accepted form of these fields comes to: `undefined` only where a field is optional and has no default. */
export type FormContent<F extends Fields> = Flat<
  { [K in keyof F as undefined extends ContentOf<F[K]> ? never : K]: ContentOf<F[K]> } & {
    [K in keyof F as undefined extends ContentOf<F[K]> ? K : never]?: Exclude<ContentOf<F[K]>, undefined>;
  }
>;

/**
 * A flat JSON Schema, to be asked as `requestedSchema`, and to read the answer with: `accepted(key, thisForm)`. As a
 * Standard Schema it fills in defaults and keeps the form's own fields only.
 */
export type Form<Content> = FormSchema & StandardSchema<Content>;

/**
 * The schema of a form with these fields, in this order (spec: client/elicitation, requested schema).
 *
 * @throws TypeError when a field is not one of `field`'s or says what a form cannot, RangeError when its default is not
 * a right answer to it; the message names the field.
 */
export function form<const F extends Fields>(fields: F): Form<FormContent<F>> {
  const names = Object.keys(isJsonObject(fields) ? fields : {});
  if (names.length === 0) throw new TypeError(`A form needs at least one field, got ${describeValue(fields)}`);
  for (const name of names) checkField(name, fields[name]);
  const schema: FormSchema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, fields[name]?.schema as FormField])),
    required: names.filter((name) => !fields[name]?.isOptional),
  };
  // Not enumerable: on the wire a form is its JSON Schema and nothing else.
  return Object.defineProperty(schema, '~standard', { value: standardOf(schema) }) as Form<FormContent<F>>;
}

function checkField(name: string, given: Field<unknown> | undefined): void {
  const at = `Field ${JSON.stringify(name)}`;
  if (!isJsonObject(given) || !isJsonObject(given.schema)) {
    throw new TypeError(`${at} must be made with field, for instance field.string(), got ${describeValue(given)}`);
  }
  if (typeof given.isOptional !== 'boolean') {
    throw new TypeError(`${at}: optional must be true or false, got ${describeValue(given.isOptional)}`);
  }
  const problem = fieldProblem(given.schema);
  if (problem !== undefined) throw new TypeError(`${at}: ${problem}`);
  const wrongDefault = defaultIssue(given.schema);
  if (wrongDefault !== undefined) throw new RangeError(`${at}: ${wrongDefault}`);
}

function standardOf<Content>(schema: FormSchema): StandardSchema<Content>['~standard'] {
  return {
    version: 1,
    vendor: 'mcp-dual-era',
    validate: (value) => {
      if (!isJsonObject(value)) return { issues: [{ message: `must be an object, got ${describeValue(value)}` }] };
      const content = withDefaults(value, schema);
      const issues = contentIssues(content, schema);
      if (issues.length > 0) return { issues: issues.map(({ path, message }) => ({ path: [path], message })) };
      const own = Object.keys(schema.properties).filter((name) => Object.hasOwn(content, name));
      return { value: Object.fromEntries(own.map((name) => [name, content[name]])) as Content };
    },
  };
}
