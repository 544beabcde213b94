import { describe, expect, it } from '@jest/globals';
import { type UpstreamEvent } from '../../upstream-driver.js';
import { capture, type NetworkRules } from '../recipe/capture-rules.js';
import { signs } from '../recipe/recipe-signs.js';
import { AnswerStream } from './answer-stream.js';

const rules = capture.parse({
  mode: 'replay',
  request: { url: 'http://site.example/api' },
  format: 'sse',
  answer: { content: [{ path: 'text' }], done: [{ data: '[DONE]' }] },
}) as NetworkRules;

function answer(status: number, headers: Record<string, string>, body: string): UpstreamEvent[] {
  const events: UpstreamEvent[] = [];
  const stream = new AnswerStream(rules, {
    emit: (batch) => events.push(...batch),
    signs: signs.parse({}),
    now: () => 0,
  });
  stream.head(status, headers);
  stream.data(body);
  stream.end();
  return events;
}

const BODY = 'data: {"text":"Hi"}\n\ndata: [DONE]\n\n';
const EVENTS = [{ type: 'accepted' }, { type: 'text', text: 'Hi' }, { type: 'done', reason: 'stop' }];

describe('AnswerStream', () => {
  it.each<[string, Record<string, string>]>([
    ['the type of its format', { 'content-type': 'text/event-stream; charset=utf-8' }],
    ['the type in another case', { 'content-type': 'Text/Event-Stream' }],
    ['no type', {}],
  ])('accepts a head with %s', (_what, headers) => {
    expect(answer(200, headers, BODY)).toEqual(EVENTS);
  });

  it.each<[string, number, Record<string, string>, string]>([
    ['another type', 200, { 'content-type': 'text/html' }, 'unexpected_content_type'],
    ['a status of failure', 500, { 'content-type': 'text/event-stream' }, 'upstream_status_500'],
    ['a status of failure and no type', 502, {}, 'upstream_status_502'],
  ])('takes a head with %s for a refusal', (_what, status, headers, fault) => {
    expect(failure(() => answer(status, headers, BODY))).toMatchObject({ name: 'UnavailableError', fault });
  });
});

describe('AnswerStream of a site that reports an error', () => {
  it('keeps the beginning of the record for the operator', () => {
    const withErrors = capture.parse({
      ...rules,
      answer: { content: [{ path: 'text' }], error: [{ event: 'error' }] },
    }) as NetworkRules;
    const stream = new AnswerStream(withErrors, {
      emit: () => undefined,
      signs: signs.parse({}),
      now: () => 0,
    });
    stream.head(200, {});
    const record = { error: `broken ${'x'.repeat(300)}`, access_token: 'secret' };
    expect(failure(() => stream.data(`event: error\ndata: ${JSON.stringify(record)}\n\n`))).toMatchObject({
      fault: 'upstream_error',
      cause: { message: JSON.stringify(record).slice(0, 200) },
    });
  });
});

describe('AnswerStream of a site that sends bytes and no answer', () => {
  const start = (events: UpstreamEvent[]): AnswerStream => {
    const stream = new AnswerStream(rules, {
      emit: (batch) => events.push(...batch),
      signs: signs.parse({}),
      now: () => 0,
      maxFillerBytes: () => 1000,
    });
    stream.head(200, {});
    return stream;
  };

  it.each([': comment\n\n', '\n', 'x', 'data: {"text":""}\n\n'])('ends at the limit with %j', (filler) => {
    const events: UpstreamEvent[] = [];
    const stream = start(events);
    stream.data('data: {"text":"Hi"}\n\n');
    const error = failure(() => {
      for (let sent = 0; sent < 2000; sent += filler.length) {
        stream.data(filler);
      }
    });
    expect(error).toMatchObject({ name: 'UnavailableError', fault: 'no_progress' });
    expect(events.slice(0, 2)).toEqual(EVENTS.slice(0, 2));
  });

  it('ends at the limit with whole messages, too', () => {
    const stream = start([]);
    const error = failure(() => {
      for (let sent = 0; sent < 200; sent++) {
        stream.message('{"ping":1}');
      }
    });
    expect(error).toMatchObject({ fault: 'no_progress' });
  });
});

function failure(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
