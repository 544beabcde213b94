import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Observable } from 'rxjs';
import { type Dispatcher } from 'undici';
import { errorWithin } from '../../../test/support/upstream/error-within.js';
import { NoNetworkLog } from '../../common/network/network-log.js';
import { FillerCounter } from '../answer-progress.js';
import { FlowValve } from '../flow-gate.js';
import { type UpstreamBatch, type UpstreamEvent } from '../upstream-driver.js';
import { CompletionExchange, type ExchangeSurroundings } from './completion-exchange.js';

const CONTROLLER = {
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
} as unknown as Dispatcher.DispatchController;

let exchange: CompletionExchange;
let flow: FlowValve;
let events: (UpstreamEvent | 'complete')[];
let failure: unknown;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  events = [];
  flow = new FlowValve();
  begin(errorWithin);
  exchange.onResponseStart(CONTROLLER, 200, { 'content-type': 'text/event-stream' });
});
afterEach(() => void jest.useRealTimers());

function begin(readFailure: ExchangeSurroundings['readFailure']): void {
  new Observable<UpstreamBatch>((subscriber) => {
    exchange = new CompletionExchange(subscriber, flow, {
      readFailure,
      readError: errorWithin,
      answered: () => undefined,
      filler: new FillerCounter(() => Infinity),
      record: new NoNetworkLog().begin(),
      permit: undefined,
    });
  }).subscribe({
    next: (batch) => events.push(...batch),
    complete: () => events.push('complete'),
    error: (error: unknown) => (failure = error),
  });
  exchange.onRequestStart(CONTROLLER);
}

/** The upstream sends a chunk, and 15 s pass. */
async function receive(delta: object, finish: string | null): Promise<void> {
  const chunk = JSON.stringify({ choices: [{ delta, finish_reason: finish }] });
  exchange.onResponseData(CONTROLLER, Buffer.from(`data: ${chunk}\n\n`));
  await jest.advanceTimersByTimeAsync(15_000);
}

it('lets go of the bytes of the headers once they are read', () => {
  const controller = { ...CONTROLLER, rawHeaders: [Buffer.from('content-type')] };
  exchange.onResponseStart(controller, 200, { 'content-type': 'text/event-stream' });
  expect(controller.rawHeaders).toBeNull();
});

it.each(['stop', 'null'])('waits for what follows a piece whose finish reason is %s', async (reason) => {
  await receive({ reasoning: 'r' }, reason);
  await receive({ content: 'a' }, reason);
  expect(events).toEqual([
    { type: 'accepted' },
    { type: 'reasoning', text: 'r' },
    { type: 'text', text: 'a' },
  ]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(events.slice(3)).toEqual(reason === 'stop' ? [{ type: 'done', reason: 'stop' }, 'complete'] : []);
});

it('does not wait long behind a finish reason that comes by itself', async () => {
  await receive({ content: 'a' }, null);
  await receive({ content: '', tool_calls: [] }, 'stop');
  expect(events).toEqual([
    { type: 'accepted' },
    { type: 'text', text: 'a' },
    { type: 'done', reason: 'stop' },
    'complete',
  ]);
});

it('counts no comment as a part of the answer behind a finish reason', async () => {
  await receive({ content: 'a' }, 'stop');
  exchange.onResponseData(CONTROLLER, Buffer.from(': ping\n\n'));
  await jest.advanceTimersByTimeAsync(4_999);
  expect(events).toEqual([{ type: 'accepted' }, { type: 'text', text: 'a' }]);
  await jest.advanceTimersByTimeAsync(1);
  expect(events.slice(2)).toEqual([{ type: 'done', reason: 'stop' }, 'complete']);
});

it('waits for a slow caller before it counts the time behind a finish reason', async () => {
  flow.close();
  await receive({ content: 'a' }, 'stop');
  await jest.advanceTimersByTimeAsync(60_000);
  flow.open();
  await jest.advanceTimersByTimeAsync(19_999);
  expect(events).toEqual([{ type: 'accepted' }, { type: 'text', text: 'a' }]);
  await jest.advanceTimersByTimeAsync(1);
  expect(events.slice(2)).toEqual([{ type: 'done', reason: 'stop' }, 'complete']);
});

it.each([
  ['an error', (deep: string) => `{"error":${deep}}`],
  [
    'arguments',
    (deep: string) => `{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":${deep}}}]}}]}`,
  ],
])('fails at %s that is nested too deeply', (_what, json) => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  exchange.onResponseData(CONTROLLER, Buffer.from(`data: ${json(deep)}\n\n`));
  expect(failure).toMatchObject({ fault: 'malformed_event', cause: expect.any(RangeError) });
});

it('fails where reading a refusal does', () => {
  begin(() => {
    throw new SyntaxError('odd');
  });
  exchange.onResponseStart(CONTROLLER, 400, {});
  exchange.onResponseEnd();
  expect(failure).toMatchObject({ fault: 'malformed_event', cause: expect.any(SyntaxError) });
});

it.each([
  [{ 'content-type': 'text/html; charset=utf-8' }, 'text/html; charset=utf-8'],
  [{ 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, 'text/event-stream, encoded as gzip'],
  [{}, 'no content type'],
])('says that an answer with %p comes as %s', (headers, form) => {
  begin(errorWithin);
  exchange.onResponseStart(CONTROLLER, 200, headers);
  const message = `The upstream answered with ${form}.`;
  expect(failure).toMatchObject({ fault: 'unexpected_content_type', message });
});
