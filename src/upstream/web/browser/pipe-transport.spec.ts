import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { PipeTransport } from './pipe-transport.js';

describe('PipeTransport', () => {
  it('gives the same messages at every split', async () => {
    const sent = ['{"id":1}', '{"text":"Grüße 👋"}', ''];
    const bytes = Buffer.from(sent.map((message) => message + '\0').join(''));
    for (let at = 0; at <= bytes.length; at++) {
      const fromBrowser = new PassThrough();
      const transport = new PipeTransport(new PassThrough(), fromBrowser);
      const got: string[] = [];
      const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
      transport.onmessage = (message) => got.push(message);
      fromBrowser.write(bytes.subarray(0, at));
      fromBrowser.end(bytes.subarray(at));
      await closed;
      await new Promise((resolve) => setImmediate(resolve));
      expect(got).toEqual(sent);
    }
  });

  it('ends what it sends with a NUL byte', () => {
    const toBrowser = new PassThrough();
    new PipeTransport(toBrowser, new PassThrough()).send('{"id":1}');
    expect((toBrowser.read() as Buffer).toString()).toBe('{"id":1}\0');
  });
});
