/** One field of a form as a server sends it, and what a person may type for it. */

/** A property of `requestedSchema`, of whatever type (spec: client/elicitation, requested schema). */
export interface FormField {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  readonly title?: string;
  readonly description?: string;
  readonly default?: Value;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly Choice[];
  readonly items?: { readonly enum?: readonly string[]; readonly anyOf?: readonly Choice[] };
}

export type Value = string | number | boolean | string[];

export interface Choice {
  readonly const: string;
  readonly title: string;
}

/** What may be chosen; undefined where anything may be typed. */
export function choicesOf({ enum: names, enumNames, oneOf, items }: FormField): readonly Choice[] | undefined {
  const titled = oneOf ?? items?.anyOf;
  if (titled !== undefined) return titled;
  return (names ?? items?.enum)?.map((name, index) => ({ const: name, title: enumNames?.[index] ?? name }));
}

/** What a person has to know before they type. */
export function hintOf(field: FormField): string {
  const choices = choicesOf(field);
  if (choices !== undefined) {
    const list = choices.map(({ title }, index) => `${index + 1} ${title}`).join(', ');
    return field.type === 'array' ? `${list}; any of them, with commas` : list;
  }
  if (field.type === 'boolean') return 'yes or no';
  const { type, format = 'text', minimum, maximum, minLength, maxLength } = field;
  if (type !== 'string') return [type, ...boundsOf(minimum, maximum)].join(', ');
  return [format, ...boundsOf(minLength, maxLength, ' characters')].join(', ');
}

function boundsOf(least: number | undefined, most: number | undefined, unit = ''): string[] {
  return [
    ...(least === undefined ? [] : [`at least ${least}${unit}`]),
    ...(most === undefined ? [] : [`at most ${most}${unit}`]),
  ];
}
