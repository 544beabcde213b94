import { describe, expect, it } from '@jest/globals';
import { type UpstreamEvent } from '../../../upstream-driver.js';
import { capture, type NetworkRules } from '../../recipe/capture-rules.js';
import { signs } from '../../recipe/recipe-signs.js';
import { AnswerStream } from '../answer-stream.js';

function rules(answer: object, more: object = {}): NetworkRules {
  return capture.parse({
    mode: 'replay',
    request: { url: 'http://site.example/api' },
    format: 'sse',
    ...more,
    answer,
  }) as NetworkRules;
}

/** The events of a body that arrives in these pieces, neighbours of one kind joined. */
function eventsOf(
  networkRules: NetworkRules,
  pieces: readonly string[],
  conversationId?: string,
): UpstreamEvent[] {
  const events: UpstreamEvent[] = [];
  const stream = new AnswerStream(networkRules, {
    emit: (batch) => {
      for (const event of batch) {
        const last = events.at(-1);
        if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type) {
          events[events.length - 1] = { type: event.type, text: last.text + event.text };
        } else {
          events.push(event);
        }
      }
    },
    signs: signs.parse({}),
    now: () => 0,
    conversationId: () => conversationId,
  });
  stream.accept();
  pieces.forEach((piece) => stream.data(piece));
  stream.end();
  return events.slice(1);
}

const records = (...list: object[]): string =>
  list.map((record) => `data: ${JSON.stringify(record)}\n\n`).join('');

describe('RecordReader', () => {
  const openAi = rules({
    content: [{ path: 'choices[0].delta.content' }],
    reasoning: [{ path: 'choices[0].delta.reasoning' }],
    usage: { promptTokens: 'usage.in', completionTokens: 'usage.out', cachedTokens: 'usage.cached' },
    done: [{ data: '[DONE]' }],
    finishReason: { path: 'choices[0].finish_reason', length: ['length'] },
  });
  const body =
    records(
      { choices: [{ delta: { reasoning: 'Hm' } }] },
      { choices: [{ delta: { content: 'Grüße ' } }] },
      { choices: [{ delta: { content: '👋' } }] },
      { choices: [{ delta: {}, finish_reason: 'length' }] },
      { usage: { in: 1, out: 2, cached: 3 } },
    ) + 'data: [DONE]\n\ndata: {"choices":[{"delta":{"content":"ignored"}}]}\n\n';

  it('gives the same events at every split', () => {
    const expected = [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Grüße 👋' },
      { type: 'usage', usage: { promptTokens: 1, completionTokens: 2, reasoningTokens: 0, cachedTokens: 3 } },
      { type: 'done', reason: 'length' },
    ];
    for (let at = 0; at <= body.length; at++) {
      expect(eventsOf(openAi, [body.slice(0, at), body.slice(at)])).toEqual(expected);
    }
  });

  it('does not complete an answer that lacks its end', () => {
    expect(eventsOf(openAi, [records({ choices: [{ delta: { content: 'a' } }] })])).toEqual([
      { type: 'text', text: 'a' },
    ]);
  });

  it('takes the end of the response for the end where the recipe names none', () => {
    const events = eventsOf(rules({ content: [{ path: 't' }] }, { format: 'ndjson' }), [
      '{"t":"a"}\n{"t":"b"}',
    ]);
    expect(events).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('turns snapshots into pieces', () => {
    const snapshot = rules({ content: [{ path: 't' }] }, { delivery: 'snapshot' });
    expect(eventsOf(snapshot, [records({ t: 'a' }, { t: 'ab' }, { t: 'ab' }, { t: 'abc' })])[0]).toEqual({
      type: 'text',
      text: 'abc',
    });
  });

  it('ends an answer whose snapshots change what was passed on', () => {
    const snapshot = rules({ content: [{ path: 't' }] }, { delivery: 'snapshot' });
    expect(() => eventsOf(snapshot, [records({ t: 'Thinking' }, { t: 'Hello' })])).toThrow(
      expect.objectContaining({ fault: 'garbled_answer' }),
    );
    expect(eventsOf(snapshot, [records({ t: 'Hello' }, { t: 'He' }, { t: 'Hello!' })])[0]).toEqual({
      type: 'text',
      text: 'Hello!',
    });
  });

  it('selects records by event name and by condition', () => {
    const named = rules({
      content: [{ path: 't', event: 'delta', when: [{ path: 'k', equals: ['x', 1] }] }],
      done: [{ event: 'end' }],
    });
    const text =
      'event: delta\ndata: {"t":"a","k":"x"}\n\n' +
      'event: delta\ndata: {"t":"b","k":2}\n\n' +
      'event: other\ndata: {"t":"c","k":1}\n\n' +
      'event: end\ndata: {}\n\n';
    expect(eventsOf(named, [text])).toEqual([
      { type: 'text', text: 'a' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('drops repeated records and those of other conversations', () => {
    const shared = rules({
      content: [{ path: 't' }],
      conversation: { requestPath: 'id', path: 'c' },
      sequence: 'n',
    });
    const list = [
      { t: 'a', c: 1, n: 1 },
      { t: 'a', c: 1, n: 1 },
      { t: 'x', c: 2, n: 2 },
      { t: 'b', c: 1, n: 3 },
    ];
    const expected = [
      { type: 'text', text: 'ab' },
      { type: 'done', reason: 'stop' },
    ];
    expect(eventsOf(shared, [records(...list)], '1')).toEqual(expected);
    // A new conversation has its id from the first record.
    expect(eventsOf(shared, [records(...list)])).toEqual(expected);
  });

  it('reads plain text and whole JSON texts', () => {
    expect(eventsOf(rules({}, { format: 'text' }), ['a', 'b'])[0]).toEqual({ type: 'text', text: 'ab' });
    expect(eventsOf(rules({ content: [{ path: 't' }] }, { format: 'json' }), ['{"t":', '"a"}'])[0]).toEqual({
      type: 'text',
      text: 'a',
    });
  });

  it('takes events by their names, though what they hold is no JSON', () => {
    const named = rules({ content: [{ path: 't', event: 'delta' }], done: [{ event: 'end' }] });
    const text = 'event: delta\ndata: {"t":"a"}\n\nevent: ping\ndata: now\n\n';
    const events = [
      { type: 'text', text: 'a' },
      { type: 'done', reason: 'stop' },
    ];
    expect(eventsOf(named, [`${text}event: end\ndata:\n\n`])).toEqual(events);
    expect(eventsOf(named, [`${text}event: end\ndata: bye\n\n`])).toEqual(events);
    expect(() => eventsOf(named, ['event: delta\ndata: {"t":"a\n\n'])).toThrow('cannot be read');
  });

  it('reads events whose data is the text itself', () => {
    const plain = rules({ done: [{ data: '[DONE]' }] }, { format: 'sse-text' });
    expect(eventsOf(plain, ['data: 4\n\ndata: "2\n\ndata:\ndata:\n\ndata: {}\n\ndata: [DONE]\n\n'])).toEqual([
      { type: 'text', text: '4"2\n{}' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('passes over what sites put before their JSON', () => {
    const lines = rules({ content: [{ path: '[0]{}.t' }] }, { format: 'ndjson' });
    expect(eventsOf(lines, [')]}\'\n\n17\n["{\\"t\\":\\"a\\"}"]\n'])[0]).toEqual({ type: 'text', text: 'a' });
  });

  it('reports a record that is not JSON, after what came before it', () => {
    expect(() => eventsOf(openAi, ['data: <p>\n\n'])).toThrow('The answer of the site cannot be read.');
    expect(() => eventsOf(rules({}, { format: 'json' }), [])).toThrow(
      'The answer of the site cannot be read.',
    );
  });

  it('reports an error record', () => {
    const failing = rules({ content: [{ path: 't' }], error: [{ when: [{ path: 'error' }] }] });
    expect(() => eventsOf(failing, [records({ error: 'x' })])).toThrow(
      expect.objectContaining({ fault: 'upstream_error' }),
    );
  });
});
