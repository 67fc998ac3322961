/** Checks the choices that a field of a form offers (spec: client/elicitation, single and multiple choice). */
import { describeValue, isJsonObject, type JsonObject } from './json.ts';

/** The first thing wrong with the choices of `field`; undefined when it has none, or they are right. */
export function choiceProblem(field: JsonObject): string | undefined {
  if (field['type'] === 'array') return itemsProblem(field['items']);
  const { enum: values, enumNames, oneOf } = field;
  if (values === undefined && oneOf === undefined) return enumNames === undefined ? undefined : 'enumNames needs enum';
  for (const member of ['minLength', 'maxLength', 'format']) {
    if (field[member] !== undefined) return `${member} does not go with choices`;
  }
  if (oneOf === undefined) return valuesProblem(values, 'enum') ?? namesProblem(enumNames, values as unknown[]);
  if (values !== undefined) return 'give the choices as enum or as oneOf, not both';
  return enumNames === undefined ? titledProblem(oneOf, 'oneOf') : 'enumNames does not go with oneOf';
}

function namesProblem(names: unknown, values: readonly unknown[]): string | undefined {
  if (names === undefined || (isStringList(names) && names.length === values.length)) return undefined;
  return 'enumNames must be a list of strings, as long as enum';
}

function itemsProblem(items: unknown): string | undefined {
  if (!isJsonObject(items)) return `items must give the choices of a multiple choice, got ${describeValue(items)}`;
  const { type, enum: values, anyOf, ...others } = items;
  const other = Object.keys(others).find((member) => others[member] !== undefined);
  if (other !== undefined) return `a form cannot say "${other}" of items`;
  if (type !== 'string' && (anyOf === undefined || type !== undefined)) {
    return `items must have type "string", got ${describeValue(type)}`;
  }
  if (anyOf === undefined) return valuesProblem(values, 'enum');
  return values === undefined ? titledProblem(anyOf, 'anyOf') : 'give enum or anyOf, not both';
}

function titledProblem(choices: unknown, member: string): string | undefined {
  if (!Array.isArray(choices)) return `${member} must be a list of { const, title }`;
  const isTitled = (choice: unknown): choice is JsonObject =>
    isJsonObject(choice) &&
    typeof choice['const'] === 'string' &&
    typeof choice['title'] === 'string' &&
    Object.keys(choice).length === 2;
  if (!choices.every(isTitled)) return `every entry of ${member} must be { const, title }, both strings`;
  return valuesProblem(
    choices.map((choice) => choice['const']),
    member,
  );
}

function valuesProblem(values: unknown, member: string): string | undefined {
  if (!isStringList(values) || values.length === 0) return `${member} must be a list of at least one string`;
  return new Set(values).size === values.length ? undefined : `${member} names a choice twice`;
}

export function isStringList(value: unknown): value is string[] {
  // Over the values, not with every(), which passes over a hole.
  return Array.isArray(value) && [...value].every((entry) => typeof entry === 'string');
}
