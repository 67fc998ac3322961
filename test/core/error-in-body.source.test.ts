import { describe, expect, it } from 'vitest';
import { errorInBody } from '../../packages/shim/src/core/error-in-body.ts';

describe('the JSON-RPC error in the body of an HTTP answer', () => {
  it('is given with its code, its message and its data', () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found","data":{"a":1}}}';
    expect(errorInBody(body)).toEqual({ code: -32601, message: 'Method not found', data: { a: 1 } });
  });

  it.each([
    ['no text', { error: { code: -32601, message: 'Method not found' } }],
    ['nothing', undefined],
    ['a page', '<html>404</html>'],
    ['a list', '[{"error":{"code":1,"message":"x"}}]'],
    ['a result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error of another kind', '{"error":"invalid_token"}'],
    ['a code that is no integer', '{"error":{"code":"E1","message":"x"}}'],
    ['no message', '{"error":{"code":-32000}}'],
  ])('is none where there is %s', (_name, body) => {
    expect(errorInBody(body)).toBeUndefined();
  });
});
