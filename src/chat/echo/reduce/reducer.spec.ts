import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkingOf, everyChunking } from '../../../../test/support/watch/delta-recorder.js';
import { LINE_START } from './reduced-codes.js';
import { LIST_MARK, MAX_PUSH, ORDERED_MARK, Reducer, TABLE_MARK } from './reducer.js';

interface Reduced {
  /** List marks as `•`, those of ordered lists as `#`, marks of table rows as `|`. */
  readonly text: string;
  readonly offsets: number[];
  /** Offsets of line starts in the reduced text. */
  readonly firsts: number[];
}

function reduce(pieces: readonly string[]): Reduced {
  const reducer = new Reducer();
  const codes: number[] = [];
  const offsets: number[] = [];
  const firsts: number[] = [];
  const take = (): void => {
    for (let i = 0; i < reducer.count; i++) {
      if (((reducer.places[i] as number) & LINE_START) !== 0) {
        firsts.push(codes.length);
      }
      codes.push(reducer.codes[i] as number);
      offsets.push(reducer.offsets[i] as number);
    }
  };
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += MAX_PUSH) {
      reducer.push(piece, at, Math.min(at + MAX_PUSH, piece.length));
      take();
    }
  }
  reducer.end();
  take();
  const text = String.fromCharCode(...codes)
    .replaceAll(String.fromCharCode(LIST_MARK), '•')
    .replaceAll(String.fromCharCode(TABLE_MARK), '|')
    .replaceAll(String.fromCharCode(ORDERED_MARK), '#');
  return { text, offsets, firsts };
}

describe('Reducer', () => {
  it.each<[string, string, string]>([
    ['letters, digits and commas', 'Hello, world 42!', 'Hello,world42'],
    ['case', 'aBC', 'aBC'],
    ['letters of other scripts', 'Größe: 三十 — код', 'Große三十код'],
    ['accents', 'Größe Gro\u0308ße naïve が \\u00e9', 'GroßeGroßenaiveかe'],
    ['letters of two halves', '𐐷a😀b', '𐐷ab'],
    ['halves that stand alone', '\ud801a\udc37', 'a'],
    ['entities', 'a &lt;x&gt; &amp;amp; &#39;c&#x27; &quot;d&nbsp;e', 'axcde'],
    ['entities of letters', '&#228;&#xe4;&#x1d400;', 'aa𝐀'],
    ['entities by their names', '&eacute;&Ouml;&ccedil;&szlig;&rsquo;&AMP;&hellip;x&nacute', 'eOcßxnacute'],
    ['commas of other scripts', 'a，b、c', 'a,b,c'],
    ['entities that are none', 'R&D &c; &unknown; & &#; &#x; x&y=1 AT&amp', 'RDcunknownxxy1ATamp'],
    ['tags for line breaks', 'one<br>- two<br/>3: three<BR />four<break>', 'one•twothreefourbreak'],
    ['escaped tags for line breaks', 'one&lt;br&gt;two&amp;lt;br /&amp;gt;three', 'onetwothree'],
    ['tags of blocks', '<pre>1: one</pre><p>2: two</P><div>x</div>', 'onetwox'],
    ['tags of items and rows', '<ul><li>one<li>two</ul><tr><td>3</td><th>4</th></tr>', '•one•two|34'],
    ['tags within lines', 'a <b>x</b><span>c</span> <CODE>d</CODE>', 'axcd'],
    [
      'escaped tags',
      '&lt;b&gt;a&lt;/b&gt;&amp;lt;h1&amp;gt;b&#60;i&#62;&#x3c;i&#x3E;\\u003cb\\u003ec',
      'abc',
    ],
    ['tags with attributes', '<p id=x>a <br class="y">b', 'pidxabrclassyb'],
    ['tags of other kinds', '<T>a</T> <body>b <prefix>c i<b d x<y <b&c <', 'TaTbodybprefixcibdxybc'],
    ['colours', '\u001b[1;32mgreen\u001b[0m \\u001b[31mred\\x1b[m \u001bx', 'greenredx'],
    ['escapes in braces and of two digits', String.raw`a\u{e4}b\x3cc\u{1d400}\x41`, 'aabc𝐀A'],
    ['numbers in parentheses', '(1) one\n(2) two', '#one#two'],
    ['names', 'snake_case kebab-case', 'snakecasekebabcase'],
    ['quote prefixes', '> one\n>> two', 'onetwo'],
    ['line numbers with a colon', '1: one\n2: two', 'onetwo'],
    ['line numbers behind a number sign', '#1: one\n#2: two', 'onetwo'],
    ['times', '12:25 one\n7:05:31 two\n3:four', '1225one70531twofour'],
    ['line numbers with a bar', '  9 | nine\n 10 | ten', 'nineten'],
    ['line numbers with an arrow', '7→seven\n8→eight', 'seveneight'],
    ['line numbers with a tab', '     3\tthree\n     4\tfour', 'threefour'],
    ['line numbers behind a letter', 'L9: nine\nL10: ten', 'nineten'],
    ['line numbers behind a word', 'Line 9: nine\nline 10 | ten', 'nineten'],
    ['line numbers in brackets', '[9] nine\n[10]  ten\n[L11] eleven', 'nineteneleven'],
    [
      'words like those in front of line numbers',
      'L\nLin3: a\nlines: b\nline of 5\nL10n\nl',
      'LLin3alinesblineof5L10nl',
    ],
    ['line numbers with space that count up', '1 one\n2  two\n3\n4 four', 'onetwofour'],
    ['line numbers with space from elsewhere on', '57 one\n58 two', '57onetwo'],
    ['numbers with space that do not count up', '20 one\n30 two', '20one30two'],
    ['numbers that are part of a text', '3.14 and 12,5\n2026-01-02', '314and12,520260102'],
    ['numbers too long for a line', '12345678: one', '12345678one'],
    ['a number at the end', 'one\n12', 'one12'],
    ['dashes and stars as list marks', '- one\n  * two\n+ three\n-four **five**', '•one•two•threefourfive'],
    [
      'added lines of a patch',
      '+one\n+  two\n+\tthree\n+  - four\n+\n+ - five\n+ */',
      'onetwothree•four•five',
    ],
    ['numbers as list marks', '1. one\n2) two\n3.three', '#one#two3three'],
    ['other list marks', '• one\n✓ two\n😀 three', '•one•two•three'],
    ['list marks behind a line number', '1: - one\n2: 1. two', '•one#two'],
    ['list marks behind a quote prefix', '> - one', '•one'],
    ['no list marks within a line', 'a - b * c', 'abc'],
    ['rows of tables', '| a | b |\n|---|---|\n| c | d |', '|ab||cd'],
    ['fences and their language', '```typescript\none\n```\ntwo', 'onetwo'],
    ['code in a line', '`one` two ```three```', 'onetwothree'],
    ['text behind a fence', '```json {"a":1}\n```', 'a1'],
    ['escapes of JSON', '"a\\nb\\tc\\"d\\\\e\\u00e9"', 'abcdee'],
    ['escaped line breaks like others', '"\\n- one\\n 2\\ttwo"', '•onetwo'],
    ['escaped pairs', '\\ud801\\udc37\\ud83d\\ude00', '𐐷'],
    ['escapes that are cut, without their letter', 'C:\\users \\uz', 'Csersz'],
    ['Windows line ends', 'one\r\n- two\r\n', 'one•two'],
    ['nothing', '', ''],
  ])('reduces %s', (_what, text, expected) => {
    for (const pieces of everyChunking(text)) {
      expect({ pieces, text: reduce(pieces).text }).toEqual({ pieces, text: expected });
    }
  });

  it('reports the offset of each character and the beginnings of lines', () => {
    expect(reduce([' 12 ab\n- 3😀', '𐐷\\u0041\\n7.'])).toEqual({
      text: '12ab•3𐐷A7',
      offsets: [1, 2, 4, 5, 7, 9, 12, 13, 14, 22],
      firsts: [0, 4, 9],
    });
  });

  it('has the same output at any chunking, with ascending offsets', () => {
    const signs = ['\n', ' ', '-', '1', '2', ':', '|', '`', '\\', 'u', 'n', '😀', '.', '\u001b', '[', 'm'];
    const tags = ['<', '>', '/', 'p', 'li', '&', 'lt;', '#x3e;', 'amp;'];
    const parts = fc.array(fc.constantFrom(...signs, ...tags), { maxLength: 30 });
    fc.assert(
      fc.property(
        parts.map((units) => units.join('')).chain((text) => fc.tuple(fc.constant(text), chunkingOf(text))),
        ([text, pieces]) => {
          const whole = reduce([text]);
          expect(reduce(pieces)).toEqual(whole);
          expect(whole.offsets).toEqual([...whole.offsets].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('reduces a text in tags and colours to what it is without them', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 12 });
    const around = fc.constantFrom(
      '<p>|</p>',
      '<B>|</B>',
      '&lt;td&gt;|&lt;/td&gt;',
      '\u001b[1;31m|\u001b[0m',
    );
    fc.assert(
      fc.property(words, around, (all, pair) => {
        const [before = '', behind = ''] = pair.split('|');
        const { text } = reduce([all.map((word) => before + word + behind).join(' ')]);
        expect(text).toBe(reduce([all.join(' ')]).text);
      }),
    );
  });

  it('reduces a text that is longer than one call may be', () => {
    const text = '1. one two\n'.repeat(2000);
    expect(reduce([text]).text).toBe('#onetwo'.repeat(2000));
  });

  it('measures the longest line', () => {
    const reducer = new Reducer();
    const text = 'one\\nthree four\ntwo';
    reducer.push(text, 0, text.length);
    reducer.end();
    expect(reducer.longestLine).toBe(9);
  });
});
