/** The example of the page on testing, with vitest. */
// #region vitest
import { accept, checkReentrancy, formatDifferences, formatReentrancy, runOnBothEras } from 'mcp-dual-era/testing';
import { createInviteServer } from 'mcp-dual-era-examples/testing/invite-server.ts';
import { fakeOffice } from 'mcp-dual-era-examples/testing/office.ts';
import { describe, expect, it } from 'vitest';

const script = {
  request: { method: 'tools/call', params: { name: 'invite', arguments: { room: 'Blue' } } },
  answers: { guest: accept({ email: 'ada@example.com' }), sure: accept({ confirmed: true }) },
} as const;

describe('invite', () => {
  it('says and asks the same in both eras', async () => {
    const { differences, unused } = await runOnBothEras(
      ({ effects }) => createInviteServer(fakeOffice(effects)),
      script,
    );
    expect(formatDifferences(differences)).toBe('No differences between the eras.');
    expect(unused).toEqual([]);
  });

  it('books one room and sends one mail, however often it runs', async () => {
    const report = await checkReentrancy(({ effects }) => createInviteServer(fakeOffice(effects)), script);
    expect(formatReentrancy(report)).toBe('No side effect happened again.');
    expect(report.afterRefusal).toEqual([]);
  });
});
// #endregion vitest
