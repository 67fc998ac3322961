/** The tool that every contender offers: it deploys a service, after a person has filled in a form. */
import assert from 'node:assert/strict';

export type FormContent = { environment: string; replicas: number; reason: string };

/** A form built anew for each call, as a handler has it that writes its schema where it asks. */
export function freshForm() {
  return {
    type: 'object' as const,
    properties: {
      environment: { type: 'string' as const, enum: ['staging', 'production'], default: 'staging' },
      replicas: { type: 'integer' as const, minimum: 1, maximum: 12, default: 2 },
      reason: { type: 'string' as const, maxLength: 200 },
    },
    required: ['environment', 'replicas'],
  };
}

/** The same form with a field of every other type and format, which may be left empty. */
export function freshLongForm() {
  const form = freshForm();
  return {
    ...form,
    properties: {
      ...form.properties,
      confirmed: { type: 'boolean' as const, title: 'Confirmed' },
      share: { type: 'number' as const, minimum: 0, maximum: 1 },
      contact: { type: 'string' as const, format: 'email' as const },
      ticket: { type: 'string' as const, format: 'uri' as const },
      day: { type: 'string' as const, format: 'date' as const },
      start: { type: 'string' as const, format: 'date-time' as const },
      region: { type: 'string' as const, oneOf: choices('eu', 'us') },
      parts: { type: 'array' as const, items: { anyOf: choices('web', 'worker') }, maxItems: 2 },
    },
  };
}

function choices(...values: string[]): { const: string; title: string }[] {
  return values.map((value) => ({ const: value, title: value.toUpperCase() }));
}

/** The short form, hoisted. */
export const FORM: ReturnType<typeof freshForm> = freshForm();

export const ANSWER: FormContent = { environment: 'staging', replicas: 3, reason: 'release 2.4' };

export function question(service: string): string {
  return `How shall ${service} be deployed?`;
}

export function deployed(service: string, content: unknown) {
  const { environment, replicas, reason } = content as FormContent;
  return { content: [{ type: 'text' as const, text: `${service} ${environment} ${replicas} ${reason}` }] };
}

/** Checks what a call of the tool for `service` came to, with `ANSWER` as the person's answer. */
export function assertDeployed(result: unknown, service: string): void {
  const { content, isError } = result as { content?: { text?: unknown }[]; isError?: unknown };
  assert.equal(content?.[0]?.text, `${service} staging 3 release 2.4`);
  assert.equal(isError, undefined);
}
