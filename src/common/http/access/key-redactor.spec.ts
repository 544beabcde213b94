import { describe, expect, it } from '@jest/globals';
import { Settings } from '../../config/settings.js';
import { KeyRedactor } from './key-redactor.js';

const KEY = 'sk-own/7f+3a"91';

describe('KeyRedactor', () => {
  const settings = Object.assign(new Settings(), { API_KEY: KEY });
  const redactor = new KeyRedactor(settings);

  it.each([
    [`The model '${KEY}' does not exist.`, "The model '[redacted]' does not exist."],
    [JSON.stringify({ model: KEY }), '{"model":"[redacted]"}'],
    ['nothing secret', 'nothing secret'],
  ])('redacts %j', (text, redacted) => {
    expect(redactor.text(text)).toBe(redacted);
  });

  it.each([
    [`/v1/models/${encodeURIComponent(KEY)}`, '/v1/models/[redacted]'],
    [`/v1/models/${KEY}`, '/v1/models/[redacted]'],
    [`/v1/%73k-own%2f7f%2b3a%2291`, '/[redacted]'],
    ['/v1/100%/x', '/v1/100%/x'],
    ['/v1/a%20b', '/v1/a%20b'],
  ])('redacts the path %s', (path, redacted) => {
    expect(redactor.path(path)).toBe(redacted);
  });

  it('follows a change of the key, and takes no empty key for one', () => {
    const changed = Object.assign(new Settings(), { API_KEY: '' });
    const other = new KeyRedactor(changed);
    expect(other.text('first second')).toBe('first second');
    changed.API_KEY = 'first';
    expect(other.text('first second')).toBe('[redacted] second');
    changed.API_KEY = 'second';
    expect(other.text('first second')).toBe('first [redacted]');
  });
});
