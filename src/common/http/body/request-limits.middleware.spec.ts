import { describe, expect, it, jest } from '@jest/globals';
import { type Request, type Response } from 'express';
import { requestLimitsMiddleware } from './request-limits.middleware.js';

describe('requestLimitsMiddleware', () => {
  it.each([
    [0, { 'transfer-encoding': 'chunked' }, false],
    [0, { 'content-length': '2' }, true],
    [1, { 'transfer-encoding': 'chunked' }, true],
  ])('of a body over HTTP/1.%i with %j', (httpVersionMinor, headers, isTaken) => {
    const request = { httpVersionMajor: 1, httpVersionMinor, headers, rawHeaders: [], url: '/' };
    const response = { shouldKeepAlive: true };
    const next = jest.fn();
    requestLimitsMiddleware(request as unknown as Request, response as Response, next);
    expect(next).toHaveBeenCalledWith(...(isTaken ? [] : [expect.any(Error)]));
    expect(response.shouldKeepAlive).toBe(isTaken);
  });
});
