/** No server that other machines reach seals with a key that ends with its process, unless it is told to. */
import { DualEraError } from '../core/errors.ts';
import { boolean } from '../core/option-checks.ts';
import { beyondLoopback } from '../modern/inbound.ts';
import { openableOf } from '../state/openable.ts';
import type { ResolvedServeOptions } from './resolve-serve-options.ts';
import type { HttpServeOptions } from './serve-options.ts';

/** @throws DualEraError `EPHEMERAL_KEY`, and TypeError when `allowEphemeralKey` is no boolean. */
export function requireKey(
  { eras, settings }: ResolvedServeOptions,
  hosts: readonly string[],
  { allowEphemeralKey = false, inputRequired }: HttpServeOptions,
): void {
  boolean('allowEphemeralKey', allowEphemeralKey);
  const [name] = beyondLoopback(hosts);
  const isEphemeral = openableOf(settings.codec)?.isEphemeral === true;
  if (name === undefined || eras === 'handshake' || !isEphemeral || allowEphemeralKey) return;
  if (allowsEphemeral(inputRequired)) return;
  throw new DualEraError(
    'EPHEMERAL_KEY',
    `allowedHosts names ${JSON.stringify(name)}, so other machines can reach this server, but it has no key to seal ` +
      'requestState with: another process, or this one after a restart, would refuse every answer. Give ' +
      'inputRequired.requestState.keys (npx mcp-dual-era key), or set allowEphemeralKey: true.',
  );
}

function allowsEphemeral(inputRequired: HttpServeOptions['inputRequired']): boolean {
  const state = inputRequired === false ? undefined : inputRequired?.requestState;
  return state !== undefined && 'allowEphemeralKey' in state && state.allowEphemeralKey === true;
}
