/** The clock of the kit for tests: it stands still until `advance`, and its immediates are real turns, but counted. */
export { ScriptClock as ManualClock, settle } from '../../packages/shim/src/testing-kit/script-clock.ts';
