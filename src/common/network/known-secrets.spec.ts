import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redactCut, redactSecrets } from './known-secrets.js';

const REDACTED = '[redacted]';

describe('redactSecrets', () => {
  it('removes given secrets in every encoding', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4, maxLength: 20, unit: 'grapheme' }),
        fc.string(),
        (secret, around) => {
          fc.pre(!REDACTED.includes(secret) && !around.includes(secret) && secret.trim() === secret);
          const texts = [
            around + secret + around,
            JSON.stringify({ a: secret }),
            `a=${encodeURIComponent(secret)}`,
          ];
          for (const text of texts) {
            expect(redactSecrets(text, [secret]).split(REDACTED).join('\0')).not.toContain(secret);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  const SECRET = 'pässwort/1! "x" <&>';
  const json = JSON.stringify(SECRET).slice(1, -1);
  const ascii = (text: string): string =>
    text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  it.each([
    ['JSON', json],
    ['JSON in ASCII', ascii(json)],
    ['JSON in ASCII, in capitals', ascii(json).replace('00e4', '00E4')],
    ['JSON with escaped slashes', json.replaceAll('/', '\\/')],
    ['JSON in ASCII with escaped slashes', ascii(json).replaceAll('/', '\\/')],
    ['JSON for HTML', json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')],
    ['JSON twice', JSON.stringify(json).slice(1, -1)],
    ['JSON twice in ASCII', JSON.stringify(ascii(json)).slice(1, -1)],
    ['a URL', encodeURIComponent(SECRET)],
    ['a URL in small letters', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ])('removes a secret that is written as %s', (_, text) => {
    expect(redactSecrets(`before ${text} after`, [SECRET])).toBe('before [redacted] after');
  });

  it('leaves nothing of a secret that begins with another one', () => {
    expect(redactSecrets('it is abcd1234-more-key', ['abcd1234', 'abcd1234-more-key'])).toBe(
      'it is [redacted]',
    );
  });

  it('knows secrets that were added to a list', () => {
    const secrets = ['first-secret'];
    expect(redactSecrets('a second-secret', secrets)).toBe('a second-secret');
    secrets.push('second-secret');
    expect(redactSecrets('a second-secret', secrets)).toBe('a [redacted]');
  });
});

describe('redactCut', () => {
  it.each([
    ['my key is sk-proj-VERY', 'my key is [redacted]'],
    ['my key is sk-p', 'my key is [redacted]'],
    ['my key is sk-', 'my key is sk-'],
    ['sk-p and sk-proj-VERYSECRET', 'sk-p and [redacted]'],
    ['my key is sk-proj-VERYSECRET', 'my key is [redacted]'],
    ['aaaaab', 'aaaaab'],
    ['p%C3%A4ss%2', '[redacted]'],
  ])('writes the beginning %j of a text as %j', (text, expected) => {
    expect(redactCut(text, ['sk-proj-VERYSECRET', 'aaaaac', 'päss/wort'])).toBe(expected);
  });
});
