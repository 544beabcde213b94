import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { errorWithin } from '../../../test/support/upstream/error-within.js';
import { type FinishReason, type UpstreamEvent } from '../upstream-driver.js';
import { type AnswerBody, JsonAnswer, SseAnswer } from './answer-body.js';

const choice = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const sse = (...events: (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** Everything a body says, and what it throws. */
function read(body: AnswerBody, pieces: readonly string[]): { events: UpstreamEvent[]; error?: unknown } {
  const events: UpstreamEvent[] = [];
  try {
    for (const piece of pieces) {
      body.push(piece);
      events.push(...body.take());
    }
    body.end();
    events.push(...body.take());
    return { events };
  } catch (error) {
    events.push(...body.take());
    return { events, error };
  }
}

const ACCEPTED: UpstreamEvent = { type: 'accepted' };
const text = (value: string): UpstreamEvent => ({ type: 'text', text: value });
const PIECE = choice({ content: 'a' });
const PIECE_READ: UpstreamEvent[] = [ACCEPTED, text('a')];
const reasoning = (value: string): UpstreamEvent => ({ type: 'reasoning', text: value });
const done = (reason: FinishReason): UpstreamEvent => ({ type: 'done', reason });
const ASSUMED: UpstreamEvent = { type: 'done', reason: 'stop', isAssumed: true };
const unavailable = (fault: string): unknown => expect.objectContaining({ name: 'UnavailableError', fault });

describe('SseAnswer', () => {
  it.each<[string, (object | string)[], UpstreamEvent[]]>([
    [
      'text and reasoning by either name',
      [
        choice({ role: 'assistant', content: '' }),
        choice({ reasoning_content: 'a' }),
        choice({ reasoning: 'b' }),
        choice({ reasoning_content: 'c', reasoning: 'c' }),
        choice({ reasoning_content: '', reasoning: 'C' }),
        choice({ content: 'd' }),
        choice({ content: 'e', reasoning_content: null }),
        choice({}, 'stop'),
        '[DONE]',
      ],
      [
        ACCEPTED,
        reasoning('a'),
        reasoning('b'),
        reasoning('c'),
        reasoning('C'),
        text('d'),
        text('e'),
        done('stop'),
      ],
    ],
    [
      'text in the chunk that finishes',
      [choice({ content: 'a' }), choice({ content: 'b' }, 'length'), '[DONE]'],
      [ACCEPTED, text('a'), text('b'), done('length')],
    ],
    [
      'the last usage, after the finish',
      [
        { ...choice({ content: 'a' }), usage: { prompt_tokens: 1, completion_tokens: 1 } },
        choice({}, 'stop'),
        {
          choices: [],
          usage: {
            prompt_tokens: 7,
            completion_tokens: 3,
            completion_tokens_details: { reasoning_tokens: 2 },
            prompt_tokens_details: { cached_tokens: 4 },
          },
        },
        '[DONE]',
      ],
      [
        ACCEPTED,
        text('a'),
        {
          type: 'usage',
          usage: { promptTokens: 7, completionTokens: 3, reasoningTokens: 2, cachedTokens: 4 },
        },
        done('stop'),
      ],
    ],
    [
      'usage whose totals are no counts',
      [
        { ...choice({ content: 'a' }, 'stop'), usage: { prompt_tokens: null } },
        { choices: [], usage: { prompt_tokens: -1, completion_tokens: 2 } },
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2.5 } },
        { choices: [], usage: { prompt_tokens: 1e20, completion_tokens: 1 } },
      ],
      [ACCEPTED, text('a'), done('stop')],
    ],
    [
      'usage whose details are no counts',
      [
        { ...choice({ content: 'a' }, 'stop') },
        {
          choices: [],
          usage: { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1e308 } },
        },
      ],
      [
        ACCEPTED,
        text('a'),
        {
          type: 'usage',
          usage: { promptTokens: 1, completionTokens: 2, reasoningTokens: 0, cachedTokens: 0 },
        },
        done('stop'),
      ],
    ],
    [
      'no [DONE], but a finish reason',
      [choice({ content: 'a' }, 'stop')],
      [ACCEPTED, text('a'), done('stop')],
    ],
    [
      'a finish reason with each piece',
      [
        choice({ reasoning: 'r' }, 'stop'),
        choice({ content: 'a' }, 'stop'),
        choice({ content: 'b' }, 'length'),
        '[DONE]',
      ],
      [ACCEPTED, reasoning('r'), text('a'), text('b'), done('length')],
    ],
    ['null in quotes as no finish reason', [choice({ content: 'a' }, 'null')], [ACCEPTED, text('a')]],
    [
      'an answer with something unreadable after its finish',
      [choice({ content: 'a' }, 'stop'), 'null', '{oops', ' [DONE] ', '[DONE]'],
      [ACCEPTED, text('a'), done('stop')],
    ],
    [
      'an answer with an error after its finish',
      [choice({ content: 'a' }), choice({}, 'stop'), { error: { message: 'no usage' } }, '"x"\nevent: error'],
      [ACCEPTED, text('a'), done('stop')],
    ],
    ['[DONE] with white space', [choice({ content: 'a' }), ' [DONE] '], [ACCEPTED, text('a'), ASSUMED]],
    ['no finish reason, but [DONE]', [choice({ content: 'a' }), '[DONE]'], [ACCEPTED, text('a'), ASSUMED]],
    [
      'what a content filter left of an answer',
      [choice({ content: 'a' }), choice({}, 'content_filter'), '[DONE]'],
      [ACCEPTED, text('a'), done('content_filter')],
    ],
    ['neither: the answer was cut', [choice({ content: 'a' })], [ACCEPTED, text('a')]],
    [
      'nothing after [DONE]',
      [choice({ content: 'a' }), '[DONE]', choice({ content: 'b' }), '[DONE]', '{bad'],
      [ACCEPTED, text('a'), ASSUMED],
    ],
    [
      'tool calls',
      [
        choice({ tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{' } }] }),
        choice({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
        choice({ tool_calls: ['y', 'z'].map((id) => ({ id, function: { name: 'g', arguments: '' } })) }),
        choice({}, 'tool_calls'),
        '[DONE]',
      ],
      [
        ACCEPTED,
        { type: 'toolCall', delta: { index: 0, id: 'x', name: 'f', arguments: '{' } },
        { type: 'toolCall', delta: { index: 0, arguments: '}' } },
        { type: 'toolCall', delta: { index: 1, id: 'y', name: 'g', arguments: '' } },
        { type: 'toolCall', delta: { index: 2, id: 'z', name: 'g', arguments: '' } },
        done('tool_calls'),
      ],
    ],
    [
      'text in parts',
      [choice({ content: [{ type: 'text', text: 'a' }, { type: 'x' }] }, 'stop')],
      [ACCEPTED, text('a'), done('stop')],
    ],
    [
      'reasoning in parts',
      [
        choice({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'r' }] }] }),
        choice(
          {
            content: [
              { type: 'thinking', thinking: 's' },
              { type: 'text', text: 'a' },
            ],
          },
          'stop',
        ),
      ],
      [ACCEPTED, reasoning('r'), reasoning('s'), text('a'), done('stop')],
    ],
    ['an unknown finish reason', [choice({ content: 'a' }, 'eos')], [ACCEPTED, text('a'), done('stop')]],
    ['an older finish reason', [choice({}, 'function_call')], [ACCEPTED, done('tool_calls')]],
    [
      'keep-alive events without data, and without choices',
      ['', { object: 'chat.completion.chunk' }, { choices: [null] }, choice({ content: 'a' }, 'stop')],
      [ACCEPTED, text('a'), done('stop')],
    ],
    [
      'an upstream that is cumulative',
      ['One ', 'One two ', 'One two three four ', 'One two three four five']
        .map((content) => choice({ content }))
        .concat(choice({}, 'stop')),
      [ACCEPTED, text('One '), text('two three four '), text('five'), done('stop')],
    ],
    [
      'a short cumulative answer',
      [choice({ content: 'A' }), choice({ content: 'AB' }), choice({ content: 'ABC' }), choice({}, 'stop')],
      [ACCEPTED, text('A'), text('BC'), done('stop')],
    ],
    [
      'whole messages so far',
      ['a', 'ab'].map((content) => {
        const tool_calls = [{ id: 'x', function: { name: 'f', arguments: content } }];
        return { choices: [{ message: { content, reasoning: 'r', tool_calls } }] };
      }),
      [
        ACCEPTED,
        reasoning('r'),
        text('a'),
        { type: 'toolCall', delta: { index: 0, id: 'x', name: 'f', arguments: 'a' } },
        text('b'),
        { type: 'toolCall', delta: { index: 0, arguments: 'b' } },
      ],
    ],
  ])('reads %s', (_what, chunks, events) => {
    expect(read(new SseAnswer(errorWithin), [sse(...chunks)])).toEqual({ events });
  });

  it.each<[string, string, UpstreamEvent[], unknown]>([
    ['nothing', '', [], unavailable('empty_response')],
    ['only [DONE]', sse('[DONE]'), [], unavailable('empty_response')],
    ['only comments', ': a\n\n: b\n\n', [], unavailable('empty_response')],
    [
      'an error that is no event',
      '{"error":{"message":"x","code":503}}',
      [],
      unavailable('upstream_status_503'),
    ],
    ['JSON that is no event', '{"choices":[]}', [], unavailable('empty_response')],
    [
      'events without a choice',
      sse({ ok: 1 }, { choices: [], usage: {} }, '[DONE]'),
      [ACCEPTED],
      unavailable('empty_response'),
    ],
    ['an event that is no JSON', sse(PIECE, '{oops'), PIECE_READ, unavailable('malformed_event')],
    ['an event that is no object', sse(PIECE, '7'), PIECE_READ, unavailable('malformed_event')],
    [
      'an error object first',
      sse({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }),
      [],
      expect.objectContaining({ name: 'RateLimitedError' }),
    ],
    [
      'an error object later',
      sse(PIECE, { error: { message: 'Overloaded', code: 503 } }),
      PIECE_READ,
      unavailable('upstream_status_503'),
    ],
    [
      'an error behind a piece with a finish reason of its own',
      sse(choice({ content: 'a' }, 'stop'), { error: { message: 'Overloaded', code: 503 } }),
      PIECE_READ,
      unavailable('upstream_status_503'),
    ],
    [
      'an error event behind a piece with a finish reason of its own',
      sse(choice({ content: 'a' }, 'stop'), '"overloaded"\nevent: error'),
      PIECE_READ,
      unavailable('upstream_error'),
    ],
    [
      'an error in the older form',
      sse({ object: 'error', message: 'x', code: 400 }),
      [],
      expect.objectContaining({ name: 'RejectedError' }),
    ],
    ['an error event', 'event: error\ndata: {"message":"x"}\n\n', [], unavailable('upstream_error')],
    [
      'an upstream that gave up',
      sse(choice({ content: 'a' }, 'error')),
      PIECE_READ,
      unavailable('upstream_error'),
    ],
  ])('refuses %s', (_what, body, events, error) => {
    expect(read(new SseAnswer(errorWithin), [body])).toEqual({ events, error });
  });

  it('does not complete an answer whose last event is cut in two', () => {
    expect(
      read(new SseAnswer(errorWithin), [sse(choice({ content: 'a' })), 'data: {"choices":[{"del']),
    ).toEqual({
      events: [ACCEPTED, text('a')],
    });
  });

  it('completes when only the last blank line is missing', () => {
    expect(read(new SseAnswer(errorWithin), [sse(choice({ content: 'a' })), 'data: [DONE]'])).toEqual({
      events: [ACCEPTED, text('a'), ASSUMED],
    });
  });

  it('refuses an event that is too long', () => {
    expect(read(new SseAnswer(errorWithin, 64), ['data: ', 'x'.repeat(40), 'x'.repeat(40)])).toEqual({
      events: [],
      error: unavailable('line_too_long'),
    });
  });

  it('gives the same events at every split position, and however the stream is cut', () => {
    const stream =
      ': hi\r\n\r\n' +
      sse(choice({ role: 'assistant' }), choice({ reasoning: 'é😀' })).replaceAll('\n', '\r\n') +
      sse(choice({ content: '😀\n' }), choice({ content: '\u2028' }, 'stop')).replaceAll('\n', '\r') +
      sse({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }, '[DONE]');
    const whole = read(new SseAnswer(errorWithin), [stream]);
    const types = whole.events.map(({ type }) => type);
    expect(types).toEqual(['accepted', 'reasoning', 'text', 'text', 'usage', 'done']);
    for (let at = 0; at <= stream.length; at++) {
      expect(read(new SseAnswer(errorWithin), [stream.slice(0, at), stream.slice(at)])).toEqual(whole);
    }
    const cuts = fc.array(fc.nat(stream.length));
    fc.assert(
      fc.property(cuts, (positions) => {
        const sorted = [0, ...positions.sort((a, b) => a - b), stream.length];
        expect(
          read(
            new SseAnswer(errorWithin),
            sorted.slice(1).map((to, index) => stream.slice(sorted[index], to)),
          ),
        ).toEqual(whole);
      }),
    );
  });

  it('reports acceptance once', () => {
    const answer = new SseAnswer(errorWithin);
    answer.push(': thinking\n\n');
    answer.accept();
    answer.accept();
    expect(answer.take()).toEqual([ACCEPTED]);
    answer.push(sse(choice({ content: 'a' })));
    expect(answer.take()).toEqual([text('a')]);
    expect(answer.take()).toEqual([]);
  });
});

describe('JsonAnswer', () => {
  const completion = {
    choices: [
      {
        message: {
          content: 'a',
          reasoning_content: 'r',
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };

  it('reads a whole completion, whatever its pieces', () => {
    const whole = '\uFEFF' + JSON.stringify(completion, null, 2) + '\n';
    expect(read(new JsonAnswer(errorWithin), [...whole])).toEqual({
      events: [
        ACCEPTED,
        reasoning('r'),
        text('a'),
        { type: 'toolCall', delta: { index: 0, id: 'x', name: 'f', arguments: '{}' } },
        {
          type: 'usage',
          usage: { promptTokens: 1, completionTokens: 2, reasoningTokens: 0, cachedTokens: 0 },
        },
        done('tool_calls'),
      ],
    });
  });

  it('is complete without a finish reason', () => {
    expect(read(new JsonAnswer(errorWithin), ['{"choices":[{"message":{"content":"a"}}]}'])).toEqual({
      events: [ACCEPTED, text('a'), ASSUMED],
    });
  });

  it.each([
    ['nothing', '', unavailable('empty_response')],
    ['what is no JSON', '<html>', unavailable('malformed_body')],
    ['JSON that was cut', '{"choices":[{"mess', unavailable('malformed_body')],
    ['JSON that is no answer', '{"ok":true}', unavailable('malformed_body')],
    ['an answer without a choice', '{"choices":[]}', unavailable('malformed_body')],
    ['a choice that is none', '{"choices":[null]}', unavailable('malformed_body')],
    ['JSON that is no object', 'null', unavailable('malformed_event')],
    ['an error', '{"error":{"message":"x","code":500}}', unavailable('upstream_status_500')],
    ['an error in an array', '[{"error":{"message":"x","code":500}}]', unavailable('upstream_status_500')],
    ['an answer that is too long', `"${'x'.repeat(64)}"`, unavailable('line_too_long')],
  ])('refuses %s', (_what, body, error) => {
    expect(read(new JsonAnswer(errorWithin, 64), [body])).toEqual({ events: [], error });
  });
});
