/** What was seen of all processes of one server. */

export interface Habits {
  /** Lines on stdout that are no JSON-RPC. */
  noise: number;
  firstNoise?: string;
  /** Whether it ends when its stdin does; not known before the first one was closed. */
  endsWithStdin?: boolean;
  /** Of those that ended before their stdin was ended, and before they were. */
  readonly ends: OwnEnd[];
}

export interface OwnEnd {
  readonly how: string;
  /** Whether it had answered and then ended as if all was well: it is made for one request. */
  readonly isAfterAnswer: boolean;
}
