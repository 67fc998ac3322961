import { acceptedContent, field, form } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';

const DEPLOY = form({
  stage: field.choice(['staging', 'production'], { default: 'staging' }),
  replicas: field.integer({ minimum: 1, maximum: 12 }),
  days: field.choices(['sat', 'sun'], { default: ['sat'] }),
  reason: field.string({ maxLength: 5, optional: true }),
});

const validate = (made: { '~standard': { validate(value: unknown): unknown } }, value: unknown): unknown =>
  made['~standard'].validate(value);

describe('[A1] [S14] an answer read with a form', () => {
  it('is its content, of its own fields only, with the defaults filled in', () => {
    expect(validate(DEPLOY, { replicas: 3, more: 1 })).toStrictEqual({
      value: { stage: 'staging', replicas: 3, days: ['sat'] },
    });
  });

  it('keeps what was answered over the defaults', () => {
    const content = { stage: 'production', replicas: 12, days: [], reason: 'why' };
    expect(validate(DEPLOY, content)).toStrictEqual({ value: content });
  });

  it('is not changed itself', () => {
    const content = { replicas: 3, more: 1 };
    validate(DEPLOY, content);
    expect(content).toStrictEqual({ replicas: 3, more: 1 });
  });

  it('has a list of default choices of its own', () => {
    const read = () => validate(DEPLOY, { replicas: 1 }) as { value: { days: string[] } };
    read().value.days.push('mon');
    expect(read().value.days).toStrictEqual(['sat']);
  });

  it('names every field at fault', () => {
    expect(validate(DEPLOY, { stage: 'moon', reason: 'too long' })).toStrictEqual({
      issues: [
        { path: ['replicas'], message: 'is required' },
        { path: ['stage'], message: 'must be one of the choices offered' },
        { path: ['reason'], message: 'must have at most 5 characters' },
      ],
    });
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [[], 'an array'],
    ['yes', '"yes"'],
    [1, '1'],
  ])('is none where it is no object: %j', (value, got) => {
    expect(validate(DEPLOY, value)).toStrictEqual({ issues: [{ message: `must be an object, got ${got}` }] });
  });

  it.each(['__proto__', 'constructor', 'toString'])('is read as an own member: %s', (name) => {
    const made = form({ [name]: field.string() });
    expect(validate(made, {})).toStrictEqual({ issues: [{ path: [name], message: 'is required' }] });
    const read = validate(made, JSON.parse(`{${JSON.stringify(name)}:"Ada"}`)) as { value: object };
    expect(Object.entries(read.value)).toStrictEqual([[name, 'Ada']]);
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
  });

  it('is refused for a __proto__ that was not asked', () => {
    expect(validate(DEPLOY, JSON.parse('{"replicas":1,"__proto__":{"polluted":true}}'))).toStrictEqual({
      issues: [{ path: ['__proto__'], message: 'is no field of the form' }],
    });
  });

  it('is read by acceptedContent', () => {
    const responses = { q: { action: 'accept', content: { replicas: 3 } }, bad: { action: 'accept', content: {} } };
    expect(acceptedContent(responses, 'q', DEPLOY)).toStrictEqual({ stage: 'staging', replicas: 3, days: ['sat'] });
    expect(acceptedContent(responses, 'bad', DEPLOY)).toBeUndefined();
  });
});
