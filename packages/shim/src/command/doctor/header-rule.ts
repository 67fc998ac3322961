/** Spec 2026-07-28, streamable-http: where a tool may have an argument sent in a header too. A client leaves out one that errs. */
import { isJsonObject, type JsonObject } from '../../core/json.ts';

const HEADER = 'x-mcp-header';
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
const DEEPEST = 200;
/** Their schemas are for values that have no place of their own, so none of them may name a header. */
const ELSEWHERE = ['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties'].concat([
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]);
/** Likewise, by name. */
const ELSEWHERE_BY_NAME = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/** Whether every `x-mcp-header` in the `inputSchema` of a tool is one that a client can use. */
export function hasAllowedHeaders(tool: unknown): boolean {
  const names = new Set<string>();
  const isAllowed = (schema: unknown, depth: number, isArgument: boolean): boolean => {
    if (Array.isArray(schema)) return schema.every((one) => isAllowed(one, depth + 1, false));
    if (!isJsonObject(schema) || depth > DEEPEST) return true;
    if (Object.hasOwn(schema, HEADER)) {
      const name = schema[HEADER];
      const isGood = typeof name === 'string' && TOKEN.test(name) && TYPES.includes(schema['type']);
      if (!isGood || !isArgument || depth === 0 || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    return (
      valuesOf(schema['properties']).every((one) => isAllowed(one, depth + 1, isArgument)) &&
      ELSEWHERE.every((keyword) => isAllowed(schema[keyword], depth + 1, false)) &&
      ELSEWHERE_BY_NAME.flatMap((keyword) => valuesOf(schema[keyword])).every((one) => isAllowed(one, depth + 1, false))
    );
  };
  return !isJsonObject(tool) || isAllowed(tool['inputSchema'], 0, true);
}

function valuesOf(schemas: unknown): unknown[] {
  return isJsonObject(schemas) ? Object.values(schemas as JsonObject) : [];
}
