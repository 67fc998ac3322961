import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { contentIssues } from '../../packages/shim/src/core/check-content.ts';
import type { Json } from '../support/json.ts';
import { answeredForm, formWithAnyContents } from './arbitraries.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, ownProperties: true });

describe('contentIssues', () => {
  it('finds the fields at fault that ajv finds, in any form with any content', () => {
    const seen = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(formWithAnyContents, ({ schema, contents }) => {
        const validate = ajv.compile(schema as Json);
        for (const content of contents) {
          const paths = new Set(contentIssues(content, schema).map(({ path }) => path));
          seen[paths.size === 0 ? 'right' : 'wrong'] += 1;
          expect(paths).toStrictEqual(faultyFields(validate, content));
        }
      }),
    );
    expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(100);
  });

  it('takes every right answer', () => {
    fc.assert(
      fc.property(answeredForm, ({ schema, content }) => {
        expect(contentIssues(content, schema)).toStrictEqual([]);
      }),
    );
  });

  it('refuses every single mutation of a right answer, with one issue, at its field', () => {
    let mutations = 0;
    fc.assert(
      fc.property(answeredForm, ({ schema, content }) => {
        for (const [name, field] of Object.entries(schema.properties)) {
          if (!Object.hasOwn(content, name)) continue;
          for (const wrong of wrongValues(field as Json)) {
            mutations += 1;
            const issues = contentIssues({ ...content, [name]: wrong }, schema);
            expect(issues.map(({ path }) => path)).toStrictEqual([name]);
          }
        }
        for (const name of schema.required ?? []) {
          mutations += 1;
          const { [name]: _left, ...rest } = content;
          expect(contentIssues(rest, schema)).toStrictEqual([{ path: name, message: 'is required' }]);
        }
      }),
    );
    expect(mutations).toBeGreaterThan(300);
  });
});

/** Each wrong in one way only. */
function wrongValues(field: Json): unknown[] {
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = field;
  const offered: string[] | undefined =
    field['enum'] ??
    field['oneOf']?.map((choice: Json) => choice['const']) ??
    field['items']?.enum ??
    field['items']?.anyOf.map((choice: Json) => choice['const']);
  const unknown = `not in ${offered?.join()}`;
  const wrongTypes = [
    null,
    {},
    [1],
    [[]],
    ...(type === 'boolean' ? [] : [true]),
    ...(type === 'string' ? [] : ['text']),
  ];
  if (type === 'number' || type === 'integer') {
    if (type === 'integer') wrongTypes.push(0.5);
    if (minimum !== undefined) wrongTypes.push(Math.floor(minimum) - 1);
    if (maximum !== undefined) wrongTypes.push(Math.ceil(maximum) + 1);
    return wrongTypes;
  }
  wrongTypes.push(1);
  if (type === 'array') {
    wrongTypes.push([unknown]);
    if (minItems > 0) wrongTypes.push(Array(minItems - 1).fill(offered?.[0]));
    if (maxItems !== undefined) wrongTypes.push(Array(maxItems + 1).fill(offered?.[0]));
  } else if (offered !== undefined) {
    wrongTypes.push(unknown);
  } else if (type === 'string') {
    if (minLength > 0) wrongTypes.push('\u{1f600}'.repeat(minLength - 1));
    if (maxLength !== undefined) wrongTypes.push('x'.repeat(maxLength + 1));
  }
  return wrongTypes;
}

/** The fields that ajv finds fault with. */
function faultyFields(validate: ValidateFunction, content: Json): Set<string> {
  validate(content);
  const names = (validate.errors ?? []).map(({ instancePath, params }) => {
    const [, segment] = instancePath.split('/');
    return segment?.replaceAll('~1', '/').replaceAll('~0', '~') ?? params['missingProperty'];
  });
  return new Set(names);
}
