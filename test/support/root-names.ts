/** What the root entry exports at run time, and nothing else. */
export const ROOT_NAMES = [
  'DualEraError',
  'acceptedContent',
  'inputContext',
  'inputRequired',
  'inputResponse',
  'isInputRequiredResult',
  'shimTransport',
  'withInputRequiredShim',
  'withoutInputRequiredShim',
];
