/** A stand-in for whoever issues the tokens of your callers: knows one, from the environment. */
// #region tokens
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';

export const tokens: OAuthTokenVerifier = {
  async verifyAccessToken(token) {
    if (token !== process.env['DEPLOY_TOKEN']) throw new InvalidTokenError('This token is not known');
    const expiresAt = Date.now() / 1000 + 60;
    // Who the caller is: the application, and in `extra` the person. Both are bound to sessions and states.
    return {
      token,
      clientId: 'deploy-desk',
      scopes: [],
      expiresAt,
      extra: { iss: 'https://id.example.com', sub: 'ada' },
    };
  },
};
// #endregion tokens
