import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { changeJsonText, versionOf } from './config-text.js';

const change = (text: string | undefined, changes: object): string | undefined =>
  changeJsonText(text, new Map(Object.entries(changes)));

describe('changeJsonText', () => {
  it('makes the text of a new file', () => {
    expect(change(undefined, { PORT: 1 })).toBe('{\n  "PORT": 1\n}\n');
  });

  it('keeps the order of keys, appends new ones, and keeps comments and unknown keys', () => {
    const text =
      '{\n\t"// PORT": "the port",\n\t"PORT": 1,\n\t"models": {"b": {}, "a": {"thinking": false}},\n\t"HOST": "x"\n}';
    expect(change(text, { HOST: null, PORT: 2, DRAIN_MS: 3 })).toBe(
      '{\n\t"// PORT": "the port",\n\t"PORT": 2,\n' +
        '\t"models": {\n\t\t"b": {},\n\t\t"a": {\n\t\t\t"thinking": false\n\t\t}\n\t},\n\t"DRAIN_MS": 3\n}\n',
    );
  });

  it.each([
    ['a value that is there', '{"PORT":1}', { PORT: 1 }],
    ['the removal of what is not there', '{"PORT":1}', { HOST: null }],
    ['no change', ' {} ', {}],
    ['the removal from no file', undefined, { HOST: null }],
  ])('leaves the text as it is for %s', (_what, text, changes) => {
    expect(change(text, changes)).toBe(text);
  });

  it('replaces a null in its place, or removes it', () => {
    expect(change('{"PORT": null, "HOST": "x"}', { PORT: 5 })).toBe('{\n  "PORT": 5,\n  "HOST": "x"\n}\n');
    expect(change('{"PORT": null, "HOST": "x"}', { PORT: null })).toBe('{\n  "HOST": "x"\n}\n');
  });

  it('keeps the line ends of Windows', () => {
    expect(change('{\r\n    "PORT": 1\r\n}\r\n', { PORT: 2 })).toBe('{\r\n    "PORT": 2\r\n}\r\n');
  });

  it('gives an object with the changes, and nothing else changed, for every object', () => {
    const key = fc.constantFrom('A', 'B', 'C', '// A', '__proto__', 'models');
    const objects = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    const indent = fc.constantFrom(undefined, 1, 2, '\t');
    fc.assert(
      fc.property(objects, objects, indent, (before, changes, space) => {
        const text = JSON.stringify(before, null, space);
        const expected = new Map(Object.entries(JSON.parse(text) as object));
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) {
            expected.delete(name);
          } else {
            expected.set(name, JSON.parse(JSON.stringify(value)));
          }
        }
        const result = JSON.parse(change(text, changes) ?? '') as object;
        expect(Object.entries(result)).toEqual([...expected]);
      }),
    );
  });
});

describe('versionOf', () => {
  it('differs for different contents and for a missing file', () => {
    expect(versionOf('{}')).toBe(versionOf('{}'));
    expect(versionOf('{}')).not.toBe(versionOf('{} '));
    expect(versionOf(undefined)).toMatch(/^[0-9a-f]{32}$/);
  });
});
