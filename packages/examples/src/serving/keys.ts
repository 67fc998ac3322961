/** The keys that seal a `requestState`, from the environment: the newest first, the older ones behind it. */
// #region keys
export function keysFromEnvironment(): string[] {
  const keys = (process.env['REQUEST_STATE_KEYS'] ?? '').split(',').filter((key) => key !== '');
  if (keys.length === 0) throw new Error('Set REQUEST_STATE_KEYS (npx mcp-dual-era key prints a key)');
  return keys;
}
// #endregion keys
