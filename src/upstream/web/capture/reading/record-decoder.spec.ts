import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../../../test/support/hostile/any-code-point.js';
import { type NetworkRules } from '../../recipe/capture-rules.js';
import { createRecordDecoder } from './record-decoder.js';
import { compilePrefix } from './record-prefix.js';

type Format = NetworkRules['format'];
type Found = readonly [data: string, event: string];

/** The records of a text that arrives in these pieces; those of `text` joined, since its pieces are its records. */
function decode(format: Format, pieces: readonly string[], prefix?: readonly string[]): Found[] {
  const found: Found[] = [];
  const plain = prefix === undefined ? undefined : compilePrefix(prefix);
  const decoder = createRecordDecoder(format, (data, event) => {
    const record = plain ? plain(data, event) : { data, event };
    if (record) {
      found.push([record.data, record.event]);
    }
  });
  pieces.forEach((piece) => decoder.push(piece));
  decoder.end();
  return format === 'text' ? [[found.map(([data]) => data).join(''), 'message']] : found;
}

const message = (...texts: string[]): Found[] => texts.map((data) => [data, 'message']);

const CASES: readonly {
  readonly what: string;
  readonly format: Format;
  readonly text: string;
  readonly prefix?: readonly string[];
  readonly records: readonly Found[];
}[] = [
  {
    what: 'server-sent events with all line ends, comments and names',
    format: 'sse',
    text: '\uFEFF: hi\n\ndata: {"a":"é👋"}\r\n\r\nevent: end\rdata: 1\rdata:2\r\r\ndata:\n\nid: 7\ndata: open',
    records: [
      ['{"a":"é👋"}', 'message'],
      ['1\n2', 'end'],
      ['', 'message'],
      ['open', 'message'],
    ],
  },
  {
    what: 'server-sent events that quote server-sent events',
    format: 'sse',
    text: 'data: "data: [DONE]\\n\\nevent: end"\n\ndata: [DONE]\n\n',
    records: message('"data: [DONE]\\n\\nevent: end"', '[DONE]'),
  },
  {
    what: 'lines of JSON with blank lines and no end',
    format: 'ndjson',
    text: '{"t":"a\\nb"}\n\n  \r\n{"t":"\u2028👋"}\r\n{"t":"c"}',
    records: message('{"t":"a\\nb"}', '{"t":"\u2028👋"}', '{"t":"c"}'),
  },
  {
    what: 'lines with codes, of which one begins with another',
    format: 'ndjson',
    prefix: ['0:', 'd:', '0:x'],
    text: '0:"a"\n8:[1]\n0:x"b"\n\nd:{"finish":"stop"}\n',
    records: [
      ['"a"', '0:'],
      ['"b"', '0:x'],
      ['{"finish":"stop"}', 'd:'],
    ],
  },
  {
    what: 'events with a code in front of their data',
    format: 'sse',
    prefix: ['data '],
    text: 'data: data {"t":1}\n\ndata: ping\n\n',
    records: [['{"t":1}', 'data ']],
  },
  {
    what: 'objects behind lengths, of which one is a brace, in a list, between boundaries and on many lines',
    format: 'objects',
    text:
      '\0\0\0\0{{"a":"}\\"{"}\0\0\0{ {"b":{"c":[{}]}}\x1e[{"d":1},\r\n{}]\n--x\r\nlength: 9\r\n\r\n' +
      '{\n "e": "👋"\n}\r\n--x--',
    records: message('{"a":"}\\"{"}', '{"b":{"c":[{}]}}', '{"d":1}', '{}', '{\n "e": "👋"\n}'),
  },
  {
    what: 'an object that is cut off',
    format: 'objects',
    text: '{"a":1}{"a',
    records: message('{"a":1}', '{"a'),
  },
  { what: 'one JSON text', format: 'json', text: '{"t":\n"a👋"}\n', records: message('{"t":\n"a👋"}\n') },
  { what: 'plain text', format: 'text', text: 'a\r\n\n👋 b', records: message('a\r\n\n👋 b') },
];

describe('createRecordDecoder', () => {
  it.each(CASES)('reads $what, at every split', ({ format, text, prefix, records }) => {
    const outcomes = new Set([JSON.stringify(decode(format, text.split(''), prefix))]);
    for (let at = 0; at <= text.length; at++) {
      for (let end = at; end <= text.length; end++) {
        const pieces = [text.slice(0, at), text.slice(at, end), text.slice(end)];
        outcomes.add(JSON.stringify(decode(format, pieces, prefix)));
      }
    }
    expect([...outcomes]).toEqual([JSON.stringify(records)]);
  });

  it('gives the same records however a text is cut', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '\n',
        '\r',
        '\r\n',
        '\n\n',
        'data: ',
        'data:',
        'event: e',
        ': c',
        '0:',
        '{"a":1}',
        '{',
        '}',
        '"',
        '\\',
      ),
      fc.string({ unit: anyCodePoint, maxLength: 4 }),
    );
    const format = fc.constantFrom<Format>('sse', 'ndjson', 'json', 'objects', 'text');
    const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    fc.assert(
      fc.property(format, fc.array(part), lengths, (kind, parts, cycle) => {
        const text = parts.join('');
        const pieces: string[] = [];
        for (let at = 0; at < text.length; at += pieces.at(-1)!.length) {
          pieces.push(text.slice(at, at + cycle[pieces.length % cycle.length]!));
        }
        expect(decode(kind, pieces)).toEqual(decode(kind, [text]));
      }),
    );
  });
});
