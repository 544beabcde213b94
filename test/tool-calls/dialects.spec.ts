import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunkingOf, inPieces } from '../support/watch/delta-recorder.js';
import { collect, type Outcome, stream } from './answer-rig.js';
import { type Call, DIALECTS } from './dialects.js';

const CALLS: readonly Call[] = [
  ['write_file', { path: 'a.txt', content: 'one\ntwo', mode: 3 }],
  ['get_weather', { city: 'Paris', days: 2 }],
  ['ping', {}],
];

function answerOf(pieces: readonly string[]): Outcome {
  return collect({ name: '', upstream: '' }, pieces);
}

describe.each(Object.entries(DIALECTS))(
  'tool calls in the dialect of %s',
  (_name, { write, isBare, quote }) => {
    const before = isBare ? '' : 'Look.\n';

    it('are passed as far as they arrived, wherever the answer is cut', () => {
      const whole = before + write(CALLS);
      const wrong: unknown[] = [];
      for (let end = before.length + 1; end <= whole.length; end++) {
        const part = whole.slice(0, end);
        const answer = answerOf([part]);
        const isText = answer.calls.length === 0 && answer.text === part;
        const isSame = JSON.stringify(answerOf(inPieces(part, 3))) === JSON.stringify(answer);
        if (!isSame || !(isText || arePartOf(answer))) {
          wrong.push({ part, ...answer });
        }
      }
      expect(wrong).toEqual([]);
      expect(answerOf([whole]).calls).toHaveLength(CALLS.length);
    });

    it('stay part of a value that quotes them', () => {
      const others = Object.entries(DIALECTS).filter(([, one]) => quote === undefined || one.quote !== quote);
      for (const [other, { write: writeOther }] of others) {
        const content = `See\n${writeOther(CALLS.slice(1))}\nend`;
        const values = { path: 'a.txt', content };
        const { text, calls } = answerOf(inPieces(write([['write_file', values], ...CALLS.slice(2)]), 7));
        expect({ other, text, calls: calls.map((call) => [call.name, call.arguments]) }).toEqual({
          other,
          text: '',
          calls: [
            ['write_file', JSON.stringify(values)],
            ['ping', '{}'],
          ],
        });
      }
    });
  },
);

/**
 * Whether a caller gets nothing but parts of the written calls. A complete call may lack optional arguments; a call that
 * is cut off may end with the beginning of a tag, which could have been part of its value.
 */
function arePartOf({ calls, finish }: Outcome): boolean {
  return (
    calls.length > 0 &&
    calls.every(({ name, arguments: json }, index) => {
      const [expectedName, values] = CALLS[index]!;
      const expected = JSON.stringify(values);
      const isWhole = index < calls.length - 1 || finish === 'tool_calls';
      const isPart = isWhole
        ? expected.startsWith(json.slice(0, -1)) && json.endsWith('}')
        : expected.startsWith(json.replace(/<[^<>]*$/, ''));
      return name === expectedName && isPart;
    })
  );
}

/** Words of code and markup, and calls in every dialect, none directly behind another. */
const WORDS: readonly string[] = [
  '\n',
  '\r\n',
  '  ',
  'a',
  'b: 1',
  '"',
  "'",
  '\\',
  '\\n',
  '`',
  '```json\n',
  '😀',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ',',
  '"days": 2',
  '"""',
  "'''",
  '" + "',
  '" "',
  '// c',
  '# c\n',
  '&lt;',
  '<',
  '</',
  '<b>',
  '</b>',
  '/>',
  '<!-- c -->',
  ']]>',
  'null',
  '=',
  ';',
  '- a\n',
  '<|',
  '|>',
  'Action: ping\n',
  '</think>',
  'f(a="b")',
  ...Object.values(DIALECTS).map(({ write }) => `${write([['get_weather', { city: 'Rome' }]])} and `),
];

it('pass any text in pieces that make up the same', () => {
  // A line break at the beginning is layout in some dialects.
  const content = fc
    .array(fc.constantFrom(...WORDS), { maxLength: 10 })
    .map((words) => `begin ${words.join('')} end`);
  const answer = fc
    .tuple(fc.constantFrom(...Object.values(DIALECTS)), content)
    .filter(([{ quote }, text]) => quote === undefined || !text.includes(quote))
    .chain(([{ write }, text]) => {
      const calls: readonly Call[] = [
        ['write_file', { path: 'a.txt', content: text, mode: 3 }],
        ['get_weather', { city: 'Oslo' }],
      ];
      return fc.tuple(fc.constant(calls), chunkingOf(write(calls)));
    });
  fc.assert(
    fc.property(answer, ([calls, pieces]) => {
      const answer = answerOf(pieces);
      const streamed = stream({ name: '', upstream: '' }, pieces);
      expect(answer).toMatchObject({ ...streamed, problems: [] });
      const passed = streamed.calls.map((call): unknown[] => [call.name, JSON.parse(call.arguments)]);
      expect(passed).toEqual(calls);
    }),
    { numRuns: 500 },
  );
});
