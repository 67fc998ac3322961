/** What the root entry exports at run time, and nothing else. */
export const ROOT_NAMES = [
  'DualEraError',
  'acceptedContent',
  'completeElicitation',
  'createRequestStateCodec',
  'defaultBinding',
  'field',
  'form',
  'generateRequestStateKey',
  'inMemorySingleUseStore',
  'inputContext',
  'inputRequired',
  'inputResponse',
  'isInputRequiredResult',
  'shimTransport',
  'withInputRequiredShim',
  'withoutInputRequiredShim',
];
