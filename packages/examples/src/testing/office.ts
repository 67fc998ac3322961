/** An office that does nothing but keep what it was told, for tests. */
import type { Effects } from 'mcp-dual-era/testing';
import type { Office } from './invite-server.ts';

// #region fake
/** Each side effect has a name of its own: which room was booked, and who was written to. */
export function fakeOffice(effects: Effects): Office {
  return {
    book: (room) => {
      effects.note(`booked ${room}`);
      return `${room}, at noon`;
    },
    mail: (to) => effects.note(`mail to ${to}`),
  };
}
// #endregion fake
