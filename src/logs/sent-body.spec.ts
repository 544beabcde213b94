import { type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { keepUnread } from '../common/http/body/unread-body.js';
import { sentBody } from './sent-body.js';

const asIs = (text: string): string => text;
const request = (body: unknown, length?: number): IncomingMessage & { body?: unknown } =>
  ({ body, headers: length === undefined ? {} : { 'content-length': String(length) } }) as never;

describe('sentBody', () => {
  it.each([
    ['none', undefined],
    ['preview', { text: `{"messages":"${'x'.repeat(487)}`, isCut: true, bytes: 9 }],
    ['full', { text: `{"messages":"${'x'.repeat(1000)}"}`, bytes: 9 }],
  ] as const)('keeps with %s as much as of other texts', (mode, kept) => {
    expect(sentBody(request({ messages: 'x'.repeat(1000) }, 9), mode, asIs)).toEqual(kept);
  });

  it('keeps 64 KiB at most', () => {
    const { text = '', isCut } = sentBody(request({ a: 'x'.repeat(2 ** 20) }), 'full', asIs) ?? {};
    expect([text.length, isCut]).toEqual([2 ** 16, true]);
  });

  it('keeps what could not be parsed as it came', () => {
    const broken = request(undefined);
    keepUnread(broken, '{"model": nope');
    expect(sentBody(broken, 'preview', asIs)).toEqual({ text: '{"model": nope' });
  });

  it('keeps nothing where no body was read', () => {
    expect(sentBody(request(undefined), 'full', asIs)).toBeUndefined();
  });

  it('redacts keys, and values under names of secrets, also at its end', () => {
    const redact = (text: string): string => text.replaceAll('sk-of-the-gateway', '[redacted]');
    const { text } = sentBody(request({ password: 'of-ann', a: 'sk-of-the-gateway' }), 'full', redact) ?? {};
    expect(text).toBe('{"password":"[redacted]","a":"[redacted]"}');
    for (let at = 470; at < 500; at++) {
      const body = { a: `${'x'.repeat(at)} sk-of-the-gateway`, b: 'y'.repeat(20_000) };
      expect(sentBody(request(body), 'preview', redact)?.text).not.toContain('sk-');
    }
    const body = { a: 'sk-of-the-gateway '.repeat(9000) };
    expect(sentBody(request(body), 'full', redact)?.text).not.toContain('sk-');
  });
});
