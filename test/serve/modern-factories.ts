import { type InputRequiredOptions, inMemorySingleUseStore } from 'mcp-dual-era';
import type { ServeOptions, ServerFactory } from 'mcp-dual-era/serve';
import type { Json } from '../support/json.ts';
import { createScriptServer, type ScriptServerSettings } from '../support/script-server.ts';
import type { SdkName } from '../support/sdk.ts';
import { createAskingServer } from './modern-asking-server.ts';
import { createFeatureServer } from './modern-feature-server.ts';
import { createLowLevelServer } from './modern-low-level-server.ts';
import { createPushServer } from './modern-push-server.ts';

/** Takes what the server's side has to tell its test. */
export type Report = (line: Json) => void;

/** Which server is served and how, as JSON: over stdio it is in another process. */
export interface ModernSettings {
  /** `script`: wrapped by its factory, all others by whoever serves them. */
  readonly factory: 'script' | 'asking' | 'features' | 'low-level' | 'push';
  readonly sdk?: SdkName;
  /** Of the script server. */
  readonly script?: ScriptServerSettings;
  readonly options?: ServeOptions;
  readonly isSingleUse?: boolean;
  /** Reports nothing: for clients that leave the server's stderr alone. */
  readonly isQuiet?: boolean;
}

const FACTORIES = {
  asking: createAskingServer,
  features: createFeatureServer,
  'low-level': createLowLevelServer,
  push: createPushServer,
};

export function factoryOf({ factory, sdk = 'newest', script }: ModernSettings, report: Report): ServerFactory {
  if (factory !== 'script') {
    const create = FACTORIES[factory];
    return () => create(sdk, report);
  }
  const log = { event: (event: object) => report({ event }), run: (run: string) => report({ run }) };
  return () => createScriptServer({ sdk, ...script }, log);
}

export function optionsOf({ options = {}, isSingleUse }: ModernSettings, report: Report): ServeOptions {
  const { inputRequired } = options;
  const onerror = (error: Error): void => report({ error: error.message });
  if (inputRequired === false) return { ...options, onerror };
  const onEvent = (event: object): void => report({ event });
  const given: InputRequiredOptions = { ...inputRequired, onEvent };
  if (isSingleUse !== true) return { ...options, onerror, inputRequired: given };
  const requestState = { ...given.requestState, singleUse: inMemorySingleUseStore() };
  return { ...options, onerror, inputRequired: { ...given, requestState } };
}
