import { describe, expect, it } from '@jest/globals';
import { inPieces } from '../support/watch/delta-recorder.js';
import { collect, type Outcome } from './answer-rig.js';
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
