import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../../test/support/hostile/any-code-point.js';
import { checkPrompt, replaceInBody } from './prompt-check.js';

const long = `head ${'lorem ipsum '.repeat(500)} tail`;

describe('checkPrompt', () => {
  it('finds any prompt in JSON, nested JSON, forms and plain text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 2000, unit: 'grapheme' }), (prompt) => {
        const json = JSON.stringify({ a: [1, { prompt }], model: 'm' });
        expect(checkPrompt(json, prompt)).toBe('complete');
        expect(checkPrompt(JSON.stringify({ payload: json }), prompt)).toBe('complete');
        expect(checkPrompt(`q=${encodeURIComponent(prompt)}&x=1`, prompt)).toBe('complete');
      }),
    );
    expect(checkPrompt(`plain ${long}`, long)).toBe('complete');
  });

  it('finds any prompt in JSON with something around it, and in JSON within a form', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 2000, unit: 'grapheme' }), (prompt) => {
        const json = JSON.stringify({ a: [1, { prompt }], model: 'm' });
        for (const body of [
          `\0\0\0\0{${json}`,
          `${json}\x1e`,
          `SEND\nto:/a\n\n${json}\0`,
          `for(;;);${json}`,
        ]) {
          expect(checkPrompt(body, prompt)).toBe('complete');
        }
        expect(checkPrompt(new URLSearchParams({ q: json }).toString(), prompt)).toBe('complete');
      }),
    );
  });

  it('finds a prompt in Base64, of bytes or JSON', () => {
    const bytes = Buffer.concat([Buffer.from([10, 255, 18]), Buffer.from(long), Buffer.from([0])]);
    expect(checkPrompt(bytes.toString('base64'), long)).toBe('complete');
    const json = Buffer.from(JSON.stringify({ model: 'm', q: 'a "b" c' })).toString('base64url');
    expect(checkPrompt(json, 'a "b" c')).toBe('complete');
    expect(checkPrompt('a'.repeat(30), 'a'.repeat(30))).toBe('complete');
  });

  it('allows for changed line ends and blanks', () => {
    expect(checkPrompt(JSON.stringify({ p: 'a\r\nb  c' }), ' a\nb c\n')).toBe('complete');
  });

  it('takes letters with combining marks for the composed ones', () => {
    const prompt = 'Re\u0301sume\u0301 of the file';
    expect(checkPrompt(JSON.stringify({ p: prompt.normalize('NFC') }), prompt)).toBe('complete');
    expect(checkPrompt(JSON.stringify({ p: prompt }), prompt.normalize('NFC'))).toBe('complete');
  });

  it('sees a prompt whose text was changed, at its head or at its tail', () => {
    const words = 'Tell me what the following two lines are about';
    for (const prompt of [`<b>${words}`, `${words}\n<i>`, `${words} <b>`.repeat(50)]) {
      const escaped = prompt.replaceAll('<', '&lt;');
      expect(checkPrompt(JSON.stringify({ p: escaped, other: 'x' }), prompt)).toBe('altered');
      expect(checkPrompt(JSON.stringify({ other: 'x', q: escaped, p: prompt }), prompt)).toBe('complete');
    }
    expect(checkPrompt(JSON.stringify({ p: long.slice(1000) }), long)).toBe('altered');
  });

  it('sees a prompt that was cut at its end, or in its middle', () => {
    expect(checkPrompt(JSON.stringify({ p: long.slice(0, -20) }), long)).toBe('cut');
    expect(checkPrompt(JSON.stringify({ p: long.slice(0, 2000) }), long)).toBe('cut');
    expect(checkPrompt(JSON.stringify({ p: long.slice(0, 2000) + long.slice(-1000) }), long)).toBe('cut');
  });

  it('sees a body without the prompt', () => {
    expect(checkPrompt('{"p":"other"}', long)).toBe('missing');
    expect(checkPrompt('', 'x')).toBe('missing');
  });
});

describe('replaceInBody', () => {
  it('puts any prompt into JSON as a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (prompt) => {
        const body = replaceInBody('{"p":"<here>","q":1}', '<here>', prompt);
        expect(JSON.parse(body ?? '')).toEqual({ p: prompt, q: 1 });
      }),
    );
  });

  it('puts any prompt into JSON within JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (prompt) => {
        const inner = JSON.stringify({ a: '"\\', text: 'so: <here>' });
        const body = replaceInBody(JSON.stringify({ inner, b: '\\"' }), '<here>', prompt) ?? '';
        const { inner: filled, b } = JSON.parse(body) as { inner: string; b: string };
        expect(b).toBe('\\"');
        expect(JSON.parse(filled)).toEqual({ a: '"\\', text: `so: ${prompt}` });
      }),
    );
  });

  it('puts any prompt into a form, and into JSON within a form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (prompt) => {
        const form = new URLSearchParams({ a: '1&2', q: '-here-', json: '{"p":["-here-"]}', z: 'ü' });
        const filled = new URLSearchParams(replaceInBody(form.toString(), '-here-', prompt));
        expect(Object.fromEntries(filled)).toEqual({
          a: '1&2',
          q: prompt,
          json: JSON.stringify({ p: [prompt] }),
          z: 'ü',
        });
      }),
    );
  });

  it.each<[string, (json: string) => string]>([
    ['a packet of socket.io', (json: string) => `42/chat,7${json}`],
    ['two packets of a poll', (json: string) => `2\x1e42${json}`],
    ['a message of STOMP', (json: string) => `SEND\ndestination:/ask\n\n${json}\0`],
    ['records of SignalR', (json: string) => `${json}\x1e{"type":6}\x1e`],
  ])('puts any prompt into the JSON of %s', (_name, framed) => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (prompt) => {
        const jsonOf = (text: string): string => JSON.stringify(['ask', { text }]);
        expect(replaceInBody(framed(jsonOf('-here-')), '-here-', prompt)).toBe(framed(jsonOf(prompt)));
      }),
    );
  });

  it('leaves the rest of a body as the page wrote it', () => {
    const body = '{ "id": 12345678901234567890, "e": "\\u00e9", "p": "-here-" }';
    expect(replaceInBody(body, '-here-', 'x')).toBe(
      '{ "id": 12345678901234567890, "e": "\\u00e9", "p": "x" }',
    );
  });

  it('is undefined without the placeholder', () => {
    expect(replaceInBody('{"p":"x"}', '<here>', 'y')).toBeUndefined();
  });
});
