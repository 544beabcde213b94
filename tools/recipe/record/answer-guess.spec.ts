import { describe, expect, it } from '@jest/globals';
import { guessAnswer } from './answer-guess.js';
import { type StreamRecord } from './stream-guess.js';

const PROMPT = 'Say hello.';
const PAGE = 'My chats\nSay hello.\nHello, nice to meet you!\nsvc-max';

function records(...values: (object | string)[]): StreamRecord[] {
  return values.map((value) => ({
    data: typeof value === 'string' ? value : JSON.stringify(value),
    event: 'message',
  }));
}

describe('guessAnswer', () => {
  it('reads the format of OpenAI', () => {
    const chunk = (delta: object, finish: string | null = null): object => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      model: 'svc-max',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const stream = records(
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'They greet' }),
      chunk({ reasoning_content: ' me.' }),
      chunk({ content: 'Hello, nice ' }),
      chunk({ content: 'to meet you!' }),
      chunk({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } },
      '[DONE]',
    );
    expect(guessAnswer(stream, PAGE, PROMPT)).toEqual({
      delivery: 'append',
      answer: {
        content: [{ path: 'choices[0].delta.content' }],
        reasoning: [{ path: 'choices[0].delta.reasoning_content' }],
        done: [{ data: '[DONE]' }],
        finishReason: { path: 'choices[0].finish_reason', length: ['length', 'max_tokens'] },
        usage: { promptTokens: 'usage.prompt_tokens', completionTokens: 'usage.completion_tokens' },
        error: [{ when: [{ path: 'error' }] }],
      },
      text: 'Hello, nice to meet you!',
      reasoning: 'They greet me.',
      found: 18,
      isMarkup: false,
    });
  });

  it('separates records of one shape by their kind', () => {
    const stream = records(
      { type: 'start', conversation_id: 'c1' },
      { type: 'reasoning', text: 'They', conversation_id: 'c1' },
      { type: 'reasoning', text: ' greet me.', conversation_id: 'c1' },
      { type: 'text', text: 'Hello, nice ', conversation_id: 'c1' },
      { type: 'text', text: 'to meet you!', conversation_id: 'c1' },
      { type: 'done', reason: 'stop', conversation_id: 'c1' },
    );
    expect(guessAnswer(stream, PAGE, PROMPT)).toMatchObject({
      delivery: 'append',
      answer: {
        content: [{ path: 'text', when: [{ path: 'type', equals: 'text' }] }],
        reasoning: [{ path: 'text', when: [{ path: 'type', equals: 'reasoning' }] }],
        done: [{ when: [{ path: 'type', equals: 'done' }] }],
        error: [{ when: [{ path: 'error' }] }, { when: [{ path: 'type', equals: 'error' }] }],
      },
    });
  });

  it('separates records by the name of their event', () => {
    const stream = [
      { event: 'thinking', data: '{"v":"They greet me."}' },
      { event: 'delta', data: '{"v":"Hello, nice "}' },
      { event: 'delta', data: '{"v":"to meet you!"}' },
      { event: 'end', data: '{}' },
    ];
    expect(guessAnswer(stream, PAGE, PROMPT)?.answer).toEqual({
      content: [{ path: 'v', event: 'delta' }],
      reasoning: [{ path: 'v', event: 'thinking' }],
      done: [{ event: 'end' }],
      error: [{ when: [{ path: 'error' }] }, { event: 'error' }],
    });
  });

  it('reads JSON lines with a flag at the end', () => {
    const stream = records(
      { model: 'svc-max', message: { role: 'assistant', content: 'Hello, nice ' }, done: false },
      { model: 'svc-max', message: { role: 'assistant', content: 'to meet you!' }, done: false },
      {
        model: 'svc-max',
        message: { role: 'assistant', content: '' },
        done: true,
        prompt_eval_count: 3,
        eval_count: 5,
      },
    );
    expect(guessAnswer(stream, PAGE, PROMPT)?.answer).toEqual({
      content: [{ path: 'message.content' }],
      done: [{ when: [{ path: 'done', equals: true }] }],
      usage: { promptTokens: 'prompt_eval_count', completionTokens: 'eval_count' },
      error: [{ when: [{ path: 'error' }] }],
    });
  });

  it('recognises snapshots', () => {
    const stream = records(
      { candidates: [{ parts: ['Hello'] }] },
      { candidates: [{ parts: ['Hello, nice'] }] },
      { candidates: [{ parts: ['Hello, nice to meet you!'] }], finishReason: 'STOP', error: null },
    );
    expect(guessAnswer(stream, PAGE, PROMPT)).toMatchObject({
      delivery: 'snapshot',
      answer: {
        content: [{ path: 'candidates[0].parts[0]' }],
        done: [{ when: [{ path: 'finishReason', equals: ['STOP', 'length', 'max_tokens'] }] }],
        error: [],
      },
      text: 'Hello, nice to meet you!',
    });
  });

  it('tells an answer whose text the page shows without its tags', () => {
    const stream = records(
      { 8: { props: { innerHTML: '<p>Hello, <b>nice</b></p>' } } },
      { 8: { props: { innerHTML: '<p>Hello, <b>nice</b> to meet you!</p>' } } },
    );
    expect(guessAnswer(stream, PAGE, PROMPT)).toMatchObject({ found: 18, isMarkup: true });
    const escaped = records({ attr: 'text', new: '&lt;p title="a"&gt;Hello, nice to meet you!&lt;/p&gt;' });
    expect(guessAnswer(escaped, PAGE, PROMPT)).toMatchObject({ found: 18, isMarkup: true });
    const asIs = records({ text: 'Hello, <b>nice</b>' }, { text: ' to meet you!' });
    const page = 'Hello, <b>nice</b> to meet you!';
    expect(guessAnswer(asIs, page, PROMPT)).toMatchObject({ isMarkup: false });
  });

  it('goes by names where the page shows nothing, and takes neither ids nor the prompt for the answer', () => {
    const stream = records(
      { id: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', prompt: PROMPT, 'odd.key': { content: 'Bonjour' } },
      { id: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', prompt: PROMPT, 'odd.key': { content: ' !' } },
    );
    expect(guessAnswer(stream, PAGE, PROMPT)).toMatchObject({
      answer: { content: [{ path: '["odd.key"].content' }] },
      found: 0,
    });
  });

  it('finds nothing in records without text', () => {
    expect(guessAnswer(records({ ok: true }, { id: 'x' }), PAGE, PROMPT)).toBeUndefined();
    expect(guessAnswer([], PAGE, PROMPT)).toBeUndefined();
  });
});
