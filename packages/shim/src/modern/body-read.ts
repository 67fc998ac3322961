/** What is said, to the client and to the operator, where a body parser has taken the body of a request. */
import { DualEraError } from '../core/errors.ts';
import type { HttpError } from './json-response.ts';

const MESSAGE =
  'The body of the request was read before the handler got it, by a body parser such as express.json(). ' +
  'Hand it on: handler.node(request, response, request.body), or handler.fetch(request, { parsedBody }).';

/** A mistake of the server, so no 400. The client is told as well: at first, who writes the one runs the other. */
export const BODY_READ: HttpError = { status: 500, code: -32603, message: MESSAGE };

export function bodyWasRead(): DualEraError {
  return new DualEraError('BODY_READ', MESSAGE);
}
