import { describe, expect, it } from '@jest/globals';
import { redactedBodies } from './exchange-bodies.js';

const SECRET = 'sk-proj-VERYSECRETKEY1234567890';

describe('redactedBodies', () => {
  it.each([
    ['the gateway itself', true],
    ['a page', false],
  ])('leave nothing of a secret at the edge of what is kept, of a request by %s', (_whom, isOwnRequest) => {
    const cut = `${'x '.repeat(240)}Incorrect key ${SECRET}`.slice(0, 500);
    const { requestBody, responseBody } = redactedBodies({
      request: cut,
      response: cut,
      isOwnRequest,
      secrets: [SECRET],
    });
    expect(requestBody).toMatch(/Incorrect key \[redacted\]$/);
    expect(responseBody).toMatch(/Incorrect key \[redacted\]$/);
  });
});
