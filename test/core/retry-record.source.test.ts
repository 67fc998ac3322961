import { describe, expect, it } from 'vitest';
import {
  dropRetryRecord,
  putRetryRecord,
  type RetryRecord,
  retryRecordOf,
} from '../../packages/shim/src/core/retry-record.ts';
import { sharedRecords } from './delivery.ts';

const RECORD: RetryRecord = {
  round: 1,
  responses: undefined,
  failed: undefined,
  invalid: undefined,
  state: undefined,
  canAsk: () => true,
  noteUnusable: () => undefined,
};

describe('a retry record', () => {
  it('is put where every build of the package finds it', () => {
    const meta = {};
    putRetryRecord(meta, RECORD);
    expect(sharedRecords().get(meta)).toBe(RECORD);
    expect(retryRecordOf(meta)).toBe(RECORD);
  });

  it('is gone once its run has ended, and no other with it', () => {
    const [ended, running] = [{}, {}];
    putRetryRecord(ended, RECORD);
    putRetryRecord(running, RECORD);
    dropRetryRecord(ended);
    expect(retryRecordOf(ended).round).toBe(0);
    expect(sharedRecords().has(ended)).toBe(false);
    expect(retryRecordOf(running)).toBe(RECORD);
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
      noteUnusable: undefined,
    });
  });
});
