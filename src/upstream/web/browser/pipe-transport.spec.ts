import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { MAX_MESSAGE_BYTES } from './devtools-transport.js';
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

  it('closes when a message cannot be handled, and tells why', async () => {
    const fromBrowser = new PassThrough();
    const transport = new PipeTransport(new PassThrough(), fromBrowser);
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    const error = new Error('no handler takes it');
    transport.onmessage = () => Promise.reject(error);
    fromBrowser.write('{"id":1}\0');
    await closed;
    expect(transport.failure).toBe(error);
  });

  it('closes when a message does not end', async () => {
    const fromBrowser = new PassThrough();
    const transport = new PipeTransport(new PassThrough(), fromBrowser);
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    const part = Buffer.alloc(2 ** 20, 'x');
    for (let sent = 0; sent <= MAX_MESSAGE_BYTES; sent += part.length) {
      fromBrowser.write(part);
    }
    await closed;
    expect(transport.failure).toMatchObject({ message: expect.stringContaining('too long') });
  });

  it('passes on no long text that a page writes to its console', async () => {
    const fromBrowser = new PassThrough();
    const transport = new PipeTransport(new PassThrough(), fromBrowser);
    const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
    const got: unknown[] = [];
    transport.onmessage = (message) => got.push(JSON.parse(message));
    const written = (text: string): object => ({
      method: 'Runtime.consoleAPICalled',
      params: { type: 'log', args: [{ type: 'string', value: text }] },
    });
    const other = { method: 'Runtime.bindingCalled', params: { payload: 'x'.repeat(2 ** 20) } };
    for (const message of [written('short'), written('x'.repeat(2 ** 20)), other]) {
      fromBrowser.write(JSON.stringify(message) + '\0');
    }
    fromBrowser.end();
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(got).toEqual([written('short'), other]);
  });
});
