import { describe, expect, it } from '@jest/globals';
import { inPieces } from '../support/delta-recorder.js';
import { collect } from './answer-rig.js';
import { type Call, DIALECTS } from './dialects.js';

const CALLS: readonly Call[] = [
  ['write_file', { path: 'a.txt', content: 'one\ntwo', mode: 3 }],
  ['get_weather', { city: 'Paris', days: 2 }],
  ['ping', {}],
];

function answerOf(pieces: readonly string[]): ReturnType<typeof collect> {
  return collect({ name: '', upstream: '' }, pieces);
}

describe.each(Object.entries(DIALECTS))('calls as %s writes them', (_name, { write, isBare, quote }) => {
  const before = isBare ? '' : 'Look.\n';

  it('come out as far as they go, wherever the answer ends', () => {
    const whole = before + write(CALLS);
    for (let end = before.length + 1; end <= whole.length; end++) {
      const part = whole.slice(0, end);
      const answer = answerOf([part]);
      expect({ part, ...answerOf(inPieces(part, 3)) }).toEqual({ part, ...answer });
      if (answer.calls.length === 0) {
        expect({ part, text: answer.text }).toEqual({ part, text: part });
      }
      answer.calls.forEach(({ name, arguments: json }, index) => {
        const [expectedName, values] = CALLS[index]!;
        const isWhole = index < answer.calls.length - 1 || answer.finish === 'tool_calls';
        expect({ part, name }).toEqual({ part, name: expectedName });
        expect({ part, isPart: isPartOf(json, JSON.stringify(values), isWhole) }).toEqual({
          part,
          isPart: true,
        });
      });
    }
    expect(answerOf([whole]).calls).toHaveLength(CALLS.length);
  });

  it('are values, where they stand in one', () => {
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
});

/**
 * Whether a caller gets nothing but what was written. A call that is whole may lack its optional arguments; one that is
 * cut may end in the beginning of a tag, which could have been the model's words.
 */
function isPartOf(json: string, expected: string, isWhole: boolean): boolean {
  return isWhole
    ? expected.startsWith(json.slice(0, -1)) && json.endsWith('}')
    : expected.startsWith(json.replace(/<[^<>]*$/, ''));
}
