/** The forms of the example server. They are constants, as SDK v1 keeps each schema object that it is given. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';

export type Form = ElicitRequestFormParams['requestedSchema'];

export const severityForm: Form = {
  type: 'object',
  properties: { severity: { type: 'string', enum: ['low', 'high'] } },
  required: ['severity'],
};

export const ownerForm: Form = { type: 'object', properties: { owner: { type: 'string' } }, required: ['owner'] };
