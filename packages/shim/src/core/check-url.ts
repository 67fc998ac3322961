/** Checks the address of a page that a person is to open (spec: client/elicitation, URL mode security). */

// The characters of a URI (RFC 3986) alone. A browser takes more: backslashes, control characters, and letters that look
// like others or turn the text around, so that a person would read another address than the one that opens.
const ADDRESS = /^(https?):\/\/([\w.~!$&'()*+,;=:@%[\]-]+)(?:[/?#][\w.~!$&'()*+,;=:@%[\]/?#-]*)?$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

// A web standard that every runtime has, but the types of the pure core do not.
const platform = globalThis as unknown as { URL: { canParse(url: string): boolean } };

/** What is wrong with `url`, in words for its author; undefined when it is right. */
export function urlProblem(url: unknown): string | undefined {
  const match = typeof url === 'string' ? ADDRESS.exec(url) : null;
  if (match === null || !platform.URL.canParse(match[0])) return 'url must be an absolute https URL';
  const [, scheme = '', authority = ''] = match;
  if (authority.includes('@')) return 'url must not carry a user name or password';
  if (scheme.toLowerCase() === 'https' || LOOPBACK.test(authority)) return undefined;
  return 'url must be https, unless it is on this machine (localhost, 127.x.x.x, [::1])';
}
