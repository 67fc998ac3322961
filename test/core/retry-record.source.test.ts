import { describe, expect, it } from 'vitest';
import { putRetryRecord, type RetryRecord, retryRecordOf } from '../../packages/shim/src/core/retry-record.ts';
import { sharedRecords } from './delivery.ts';

const RECORD: RetryRecord = {
  round: 1,
  responses: undefined,
  failed: undefined,
  invalid: undefined,
  state: undefined,
  canAsk: () => true,
  mint: () => 'sealed',
  confirmations: undefined,
  once: undefined,
  elicitationIds: undefined,
  noteUnusable: () => undefined,
};

describe('a retry record', () => {
  it('is put where every build of the package finds it', () => {
    const meta = {};
    putRetryRecord(meta, RECORD);
    expect(sharedRecords().of(meta)).toBe(RECORD);
    expect(retryRecordOf(meta)).toBe(RECORD);
  });

  it.each([[undefined], [null], ['meta'], [7], [{}]])('of the _meta %j is that of a first entry', (meta) => {
    const record = retryRecordOf(meta);
    expect({ ...record, canAsk: record.canAsk('form'), noteUnusable: record.noteUnusable?.('q') }).toStrictEqual({
      round: 0,
      responses: undefined,
      failed: undefined,
      invalid: undefined,
      state: undefined,
      canAsk: false,
      mint: undefined,
      confirmations: undefined,
      once: undefined,
      elicitationIds: undefined,
      noteUnusable: undefined,
    });
  });
});
