import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { FormSchema, StringField } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { contentIssues } from '../../packages/shim/src/core/check-content.ts';
import { expectQuick } from './quick.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const withField = (f: StringField): FormSchema => ({ type: 'object', properties: { f } });

describe('a format', () => {
  it.each([
    ['email', 'ada@example.com'],
    ['email', 'ada.lovelace+tag@mail.example.co.uk'],
    ['email', "o'neil@example.com"],
    ['email', `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}`],
    ['email', 'a@b.cd'],
    ['email', 'a@b.c'],
    ['uri', 'https://example.com/a?b=c#d'],
    ['uri', `data:,${'x'.repeat(8_186)}`],
    ['uri', 'mailto:ada@example.com'],
    ['uri', 'urn:isbn:0451450523'],
    ['date', '2024-02-29'],
    ['date', '2000-02-29'],
    ['date', '0000-01-31'],
    ['date-time', '2024-02-29T23:59:60Z'],
    ['date-time', '2024-12-31t00:00:00.123456789z'],
    ['date-time', '2024-12-31T00:00:00.0123456789Z'],
    ['date-time', '2024-12-31T00:00:00+23:59'],
    ['date-time', '2024-12-31T00:00:00-00:00'],
    ['date-time', '2024-12-31T20:59:59+20:59'],
  ] as const)('%s takes %s', (format, value) => {
    expect(contentIssues({ f: value }, withField({ type: 'string', format }))).toStrictEqual([]);
  });

  it.each([
    ['email', '', 'an e-mail address'],
    ['email', 'ada', 'an e-mail address'],
    ['email', '@example.com', 'an e-mail address'],
    ['email', 'ada@', 'an e-mail address'],
    ['email', 'ada@example', 'an e-mail address'],
    ['email', 'ada@-example.com', 'an e-mail address'],
    ['email', 'ada@example..com', 'an e-mail address'],
    ['email', 'ada lovelace@example.com', 'an e-mail address'],
    ['email', 'ada@example.com\n', 'an e-mail address'],
    ['email', '.ada@example.com', 'an e-mail address'],
    ['email', `${'a'.repeat(65)}@example.com`, 'an e-mail address'],
    ['email', `ada@${'b'.repeat(64)}.com`, 'an e-mail address'],
    ['email', `ada@example.${'c'.repeat(64)}`, 'an e-mail address'],
    ['email', 'ada.@example.com', 'an e-mail address'],
    ['email', 'ada..lovelace@example.com', 'an e-mail address'],
    ['email', 'ada@example.com, bob@example.com', 'an e-mail address'],
    ['email', 'Ada <ada@example.com>', 'an e-mail address'],
    ['uri', '', 'a URI'],
    ['uri', '/relative', 'a URI'],
    ['uri', `data:,${'x'.repeat(8_187)}`, 'a URI'],
    ['uri', 'example.com', 'a URI'],
    ['uri', '1http://example.com', 'a URI'],
    ['uri', 'http://exa mple.com', 'a URI'],
    ['uri', 'http://example.com/\n', 'a URI'],
    ['date', '2023-02-29', 'a date (YYYY-MM-DD)'],
    ['date', '1900-02-29', 'a date (YYYY-MM-DD)'],
    ['date', '2024-04-31', 'a date (YYYY-MM-DD)'],
    ['date', '2024-13-01', 'a date (YYYY-MM-DD)'],
    ['date', '2024-00-01', 'a date (YYYY-MM-DD)'],
    ['date', '2024-01-00', 'a date (YYYY-MM-DD)'],
    ['date', '2024-1-1', 'a date (YYYY-MM-DD)'],
    ['date', 'on 2024-01-01', 'a date (YYYY-MM-DD)'],
    ['date', '2024-01-01T00:00:00Z', 'a date (YYYY-MM-DD)'],
    ['date-time', '2024-01-01', 'a date and time (RFC 3339)'],
    ['date-time', '2024-01-01T00:00:00', 'a date and time (RFC 3339)'],
    ['date-time', '2024-01-01T24:00:00Z', 'a date and time (RFC 3339)'],
    ['date-time', '2024-01-01T00:60:00Z', 'a date and time (RFC 3339)'],
    ['date-time', '2024-01-01T00:00:61Z', 'a date and time (RFC 3339)'],
    ['date-time', '2024-01-01T00:00:00+24:00', 'a date and time (RFC 3339)'],
    ['date-time', '2024-01-01 00:00:00Z', 'a date and time (RFC 3339)'],
    ['date-time', '2024-02-30T00:00:00Z', 'a date and time (RFC 3339)'],
  ] as const)('%s refuses %j', (format, value, name) => {
    expect(contentIssues({ f: value }, withField({ type: 'string', format }))).toStrictEqual([
      { path: 'f', message: `must be ${name}` },
    ]);
  });

  it('date is read as ajv-formats reads it', () => {
    const validate = ajv.compile({ type: 'string', format: 'date' });
    const part = (max: number, digits: number) => fc.integer({ min: 0, max }).map((n) => `${n}`.padStart(digits, '0'));
    const date = fc.tuple(part(9999, 4), part(13, 2), part(32, 2)).map((parts) => parts.join('-'));
    const schema = withField({ type: 'string', format: 'date' });
    fc.assert(
      fc.property(date, (f) => {
        expect(contentIssues({ f }, schema).length === 0).toBe(validate(f));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['email', 'uri', 'date-time'] as const)('%s takes nothing in ASCII that ajv-formats refuses', (format) => {
    const validate = ajv.compile({ type: 'string', format });
    const [shape] = {
      email: ['ada@mail.ex-ample.com'],
      uri: ['https://a.b/c?d#e'],
      'date-time': ['2024-02-29T12:30:59.5+01:00'],
    }[format];
    const schema = withField({ type: 'string', format });
    const nearMiss = fc
      .tuple(fc.nat(30), fc.nat(2), fc.constantFrom('', 'a', '0', '9', '.', '-', '@', ':', '/', ' ', '"', 'T', '..'))
      .map(([at, cut, put]) => `${shape?.slice(0, at)}${put}${shape?.slice(at + cut)}`);
    fc.assert(
      fc.property(nearMiss, (f) => {
        expect(contentIssues({ f }, schema).length > 0 || validate(f)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['email', `${'a'.repeat(64)}@${'a-'.repeat(4_000)}`],
    ['email', `a@${'a.'.repeat(4_000)}!`],
    ['email', '@'.repeat(1_000_000)],
    ['uri', `a:${'a'.repeat(8_000)} `],
    ['uri', 'a'.repeat(1_000_000)],
    ['date-time', `2024-01-01T00:00:00.${'1'.repeat(1_000_000)}`],
  ] as const)('%s is decided in time in proportion to the text', (format, value) => {
    expect(expectQuick(() => contentIssues({ f: value }, withField({ type: 'string', format })))).toHaveLength(1);
  });
});
