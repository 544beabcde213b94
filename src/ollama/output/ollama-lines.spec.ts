import { describe, expect, it, jest } from '@jest/globals';
import { SteppedClock } from '../../../test/support/gateway/accounts-rig.js';
import { Answer } from '../../chat/completion/answer.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { asMessage, asResponse, OllamaAnswer, type SayingForm } from './ollama-answer.js';
import { OllamaLines } from './ollama-lines.js';

const USAGE = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };
const MODEL = 'a "content":"" b';

function linesOf(form: SayingForm = asMessage): { clock: SteppedClock; lines: OllamaLines } {
  const clock = new SteppedClock();
  return { clock, lines: new OllamaLines(new OllamaAnswer(MODEL, form, clock)) };
}

function parsed(text: string): object[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as object);
}

function calling(json: string): Answer {
  const answer = new Answer();
  answer.addToolCall({ index: 0, id: 'c1', name: 'read', arguments: json });
  return answer;
}

// Fields: https://docs.ollama.com/api/chat
describe('OllamaLines', () => {
  it('sends each piece in a line of its own', () => {
    const { lines } = linesOf();
    const common = { model: MODEL, created_at: expect.any(String), done: false };
    expect(
      parsed(lines.begin() + lines.reasoning('why\n') + lines.text('so "it" is $&') + lines.refusal('no')),
    ).toEqual([
      { ...common, message: { role: 'assistant', content: '', thinking: 'why\n' } },
      { ...common, message: { role: 'assistant', content: 'so "it" is $&' } },
      { ...common, message: { role: 'assistant', content: 'no' } },
    ]);
  });

  it('holds what the model says as the endpoint does', () => {
    const { lines } = linesOf(asResponse);
    expect(parsed(lines.reasoning('a') + lines.text('b'))).toMatchObject([
      { response: '', thinking: 'a' },
      { response: 'b' },
    ]);
  });

  it('serialises nothing but the text for a piece', () => {
    const { lines } = linesOf();
    const stringify = jest.spyOn(JSON, 'stringify');
    lines.text('a');
    expect(stringify.mock.calls).toEqual([['a']]);
    stringify.mockRestore();
  });

  it('sends calls as a whole before the end, with their arguments as an object', () => {
    const { lines } = linesOf();
    expect(lines.toolCall()).toBe('');
    expect(parsed(lines.end(calling('{"path":"a"}'), 'tool_calls', USAGE))).toMatchObject([
      {
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', function: { index: 0, name: 'read', arguments: { path: 'a' } } }],
        },
        done: false,
      },
      { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    ]);
  });

  it('tells times in nanoseconds', () => {
    const { clock, lines } = linesOf();
    clock.pass(2);
    lines.begin();
    lines.begin();
    clock.pass(3);
    expect(parsed(lines.end(new Answer(), 'length', USAGE))).toEqual([
      {
        model: MODEL,
        created_at: expect.any(String),
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'length',
        total_duration: 5_000_000,
        load_duration: 0,
        prompt_eval_count: 5,
        prompt_eval_duration: 2_000_000,
        eval_count: 7,
        eval_duration: 3_000_000,
      },
    ]);
  });

  it('ends with an error where an answer fails', () => {
    const error = new InternalError('upstream_cut', 'The upstream broke off.');
    expect(parsed(linesOf().lines.error(error))).toEqual([{ error: error.message }]);
  });
});
