import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { answerId, newRequestId, requestId } from './request-id.js';

describe('requestId', () => {
  test("a request keeps its id and never takes the caller's", () => {
    const request = new IncomingMessage(new Socket());
    request.headers['x-request-id'] = 'chosen-by-the-caller';
    const id = requestId(request);
    expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(requestId(request)).toBe(id);
  });

  test('the id of its answer has the same digits', () => {
    const request = new IncomingMessage(new Socket());
    expect(answerId('msg_', request)).toBe(requestId(request).replace('req_', 'msg_'));
  });

  test('no two ids are equal', () => {
    expect(new Set(Array.from({ length: 10_000 }, newRequestId)).size).toBe(10_000);
  });
});
