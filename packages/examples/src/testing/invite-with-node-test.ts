/** Tests of the server with node:test: `node --import tsx --test invite-with-node-test.ts`. */
// #region node
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accept, decline, formatDifferences, later, runOnBothEras } from 'mcp-dual-era/testing';
import { createInviteServer } from './invite-server.ts';

const office = { book: (room: string) => `${room}, at noon`, mail: () => undefined };
const request = { method: 'tools/call', params: { name: 'invite', arguments: { room: 'Blue' } } } as const;

describe('invite', () => {
  it('invites whoever is named and confirmed, in both eras', async () => {
    const { modern, differences, unused } = await runOnBothEras(() => createInviteServer(office), {
      request,
      // Two minutes of the run's own clock, which take no time.
      answers: [accept({ email: 'ada@example.com' }), later(120_000, accept({ confirmed: true }))],
    });
    assert.equal(formatDifferences(differences), 'No differences between the eras.');
    assert.deepEqual(unused, []);
    assert.deepEqual(modern.result, { content: [{ type: 'text', text: 'ada@example.com is invited.' }] });
  });

  it('invites nobody when nobody is named', async () => {
    const { handshake, differences } = await runOnBothEras(() => createInviteServer(office), {
      request,
      answers: { guest: decline() },
    });
    assert.deepEqual(differences, []);
    assert.deepEqual(handshake.result, { content: [{ type: 'text', text: 'Nobody is invited.' }] });
  });
});
// #endregion node
