import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ResponseRig } from '../../../../test/support/watch/response-rig.js';
import { InternalError } from '../../../common/errors/gateway.errors.js';
import { type FinishReason } from '../../../upstream/upstream-driver.js';
import { Answer } from '../answer.js';
import { ChunkFrames, type ChunkFramesOptions } from './chunk-frames.js';
import { StreamOutput, type StreamOutputOptions } from './stream-output.js';

const identity = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'svc-max' };
const frames = new ChunkFrames(identity, { includeUsage: false });
const usage = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };
const HEARTBEAT = ': heartbeat\n\n';
const ending = (reason: FinishReason): string => frames.end(new Answer(), reason, usage);

describe('StreamOutput', () => {
  let rig: ResponseRig;

  beforeEach(async () => {
    rig = await ResponseRig.open();
  });

  afterEach(() => rig.close());

  function open({
    includeUsage = false,
    ...options
  }: Partial<StreamOutputOptions & ChunkFramesOptions> = {}): StreamOutput {
    const defaults = { heartbeatAfterMs: 60_000, heartbeatIntervalMs: 60_000 };
    const own = new ChunkFrames(identity, { includeUsage });
    return new StreamOutput(rig.response, own, { ...defaults, ...options });
  }

  it('writes the stream of the contract, byte for byte', async () => {
    const output = open({ includeUsage: true });
    expect(output.isCommitted).toBe(false);
    output.begin();
    expect(output.isCommitted).toBe(true);
    output.begin();
    output.reasoning('why\n');
    output.text('Hello');
    output.text(' 😀"\u2028');
    output.finish(new Answer(), 'stop', usage);
    const chunk =
      'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"svc-max"';
    const marks = '"system_fingerprint":"fp_gateway_1","service_tier":"default"';
    const open_ = '"logprobs":null,"finish_reason":null}]}';
    expect(await rig.readAll()).toEqual({
      status: 'HTTP/1.1 200 OK',
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        date: expect.any(String),
        connection: 'close',
        'transfer-encoding': 'chunked',
      },
      isWhole: true,
      writes: [
        [
          ': heartbeat',
          `${chunk},${marks},"choices":[{"index":0,"delta":{"role":"assistant","content":""},${open_}`,
          `${chunk},"choices":[{"index":0,"delta":{"reasoning_content":"why\\n"},${open_}`,
          `${chunk},"choices":[{"index":0,"delta":{"content":"Hello"},${open_}`,
          `${chunk},"choices":[{"index":0,"delta":{"content":" 😀\\"\u2028"},${open_}`,
          `${chunk},${marks},"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],` +
            '"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12,' +
            '"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cached_tokens":1}}}',
          'data: [DONE]',
          '',
        ].join('\n\n'),
      ],
    });
  });

  it('writes what one turn of the event loop brought at once', async () => {
    const output = open();
    output.begin();
    output.flush();
    await nextTurn();
    output.text('a');
    output.flush();
    output.text('b');
    output.flush();
    await nextTurn();
    output.flush();
    await nextTurn();
    output.text('c');
    output.finish(new Answer(), 'length', usage);
    const { writes } = await rig.readAll();
    expect(writes).toEqual([
      HEARTBEAT + frames.begin(),
      frames.text('a') + frames.text('b'),
      frames.text('c') + ending('length'),
    ]);
  });

  it('writes an empty answer', async () => {
    open().finish(new Answer(), 'stop', usage);
    const { writes } = await rig.readAll();
    expect(writes).toEqual([HEARTBEAT + frames.begin() + ending('stop')]);
  });

  it('begins with a heartbeat if nothing is accepted for long, and goes on from there', async () => {
    const output = open({ heartbeatAfterMs: 1 });
    await rig.read((received) => received.includes(HEARTBEAT));
    expect(output.isCommitted).toBe(true);
    output.begin();
    output.text('a');
    output.finish(new Answer(), 'stop', usage);
    const { writes } = await rig.readAll();
    expect(writes).toEqual([HEARTBEAT, frames.begin() + frames.text('a') + ending('stop')]);
  });

  it('sends no heartbeat once it is about to be dropped', () => {
    const before = activeTimeouts();
    const output = open({ heartbeatAfterMs: 1 });
    output.stopHeartbeats();
    expect([activeTimeouts() - before, output.isCommitted]).toEqual([0, false]);
  });

  it('sends heartbeats in silence, before and after the first chunk', async () => {
    const output = open({ heartbeatAfterMs: 1, heartbeatIntervalMs: 20 });
    await rig.read((received) => received.split(HEARTBEAT).length > 3);
    output.begin();
    output.flush();
    await rig.read((received) => received.split(frames.begin())[1]?.includes(HEARTBEAT) ?? false);
    output.finish(new Answer(), 'stop', usage);
    const { writes } = await rig.readAll();
    expect(writes.slice(0, 3)).toEqual([HEARTBEAT, HEARTBEAT, HEARTBEAT]);
    expect(writes.filter((write) => write !== HEARTBEAT)).toEqual([frames.begin(), ending('stop')]);
  });

  it('keeps the interval of heartbeats where an answer follows another one', async () => {
    const times = { heartbeatAfterMs: 600_000, heartbeatIntervalMs: 20 };
    const first = open({ ...times, onWhole: () => undefined });
    first.finish(new Answer(), 'stop', usage);
    const second = open(times);
    second.begin();
    second.flush();
    await rig.read((received) => received.split(HEARTBEAT).length > 3);
    second.finish(new Answer(), 'stop', usage);
    const { writes } = await rig.readAll();
    const silent = writes.filter((write) => write !== HEARTBEAT);
    expect(silent).toEqual([HEARTBEAT + frames.begin() + ending('stop'), frames.begin(), ending('stop')]);
  });

  it.each([
    ['event', true],
    ['event_and_cut', false],
  ] as const)(
    'ends with an error event after the pieces before it, and no more (%s)',
    async (kind, whole) => {
      const output = open();
      output.begin();
      output.text('a');
      output.toolCall({ index: 0, id: 'call_1', name: 'f', arguments: '{}' });
      output.fail(new InternalError('upstream_cut', 'it broke.', { cause: new Error('secret') }), kind);
      const { writes, isWhole } = await rig.readAll();
      expect(writes.join('')).toBe(
        HEARTBEAT +
          frames.begin() +
          frames.text('a') +
          'data: {"error":{"message":"Internal server error: it broke.","type":"server_error","param":null,"code":"internal_error"}}\n\n',
      );
      expect(isWhole).toBe(whole);
    },
  );

  it('ends with a broken connection alone for callers that ask again', async () => {
    const output = open();
    output.begin();
    output.text('a');
    output.flush();
    await rig.read((received) => received.includes('"a"'));
    output.fail(new InternalError('upstream_cut', 'it broke.'), 'cut');
    const { writes, isWhole } = await rig.readAll();
    expect(writes.join('')).toBe(HEARTBEAT + frames.begin() + frames.text('a'));
    expect(isWhole).toBe(false);
  });

  it('keeps the piece that completes a tool call for the write with the end', async () => {
    const name = { index: 0, id: 'call_1', name: 'f', arguments: '' };
    const [start, middle, end] = ['{"a":', '1', '}'].map((json) => ({ index: 0, arguments: json }));
    const output = open();
    output.begin();
    for (const delta of [name, start!, middle!, end!]) {
      output.toolCall(delta);
      output.flush();
      await nextTurn();
    }
    output.finish(new Answer(), 'tool_calls', usage);
    const { writes } = await rig.readAll();
    expect(writes).toEqual([
      HEARTBEAT + frames.begin(),
      frames.toolCall(name),
      frames.toolCall(start!),
      frames.toolCall(middle!),
      frames.toolCall(end!) + ending('tool_calls'),
    ]);
  });

  it('keeps further tool calls for the end, since the first is complete once another begins', async () => {
    const first = { index: 0, id: 'call_1', name: 'f', arguments: '{}' };
    const second = { index: 1, id: 'call_2', name: 'g', arguments: '{"b":' };
    const rest = { index: 1, arguments: '2}' };
    const output = open();
    output.begin();
    for (const delta of [first, second, rest]) {
      output.toolCall(delta);
      output.flush();
      await nextTurn();
    }
    output.text('after');
    output.flush();
    await nextTurn();
    output.finish(new Answer(), 'tool_calls', usage);
    const { writes } = await rig.readAll();
    expect(writes).toEqual([
      HEARTBEAT + frames.begin(),
      frames.text('after'),
      frames.toolCall(first) + frames.toolCall(second) + frames.toolCall(rest) + ending('tool_calls'),
    ]);
  });

  it('writes calls that came in turns one after the other', async () => {
    const first = { index: 0, id: 'call_1', name: 'f', arguments: '{' };
    const second = { index: 1, id: 'call_2', name: 'g', arguments: '{' };
    const output = open();
    [first, second, { index: 0, arguments: '}' }, { index: 1, arguments: '}' }].forEach((delta) =>
      output.toolCall(delta),
    );
    output.finish(new Answer(), 'tool_calls', usage);
    const { writes } = await rig.readAll();
    expect(writes.join('')).toBe(
      HEARTBEAT +
        frames.begin() +
        frames.toolCall(first) +
        frames.toolCall({ index: 0, arguments: '}' }) +
        frames.toolCall(second) +
        frames.toolCall({ index: 1, arguments: '}' }) +
        ending('tool_calls'),
    );
  });

  it('closes the gate while the caller reads too slowly, and opens it when it has caught up', async () => {
    const output = open();
    const text = 'x'.repeat(16_000_000);
    output.begin();
    output.text(text);
    output.flush();
    expect(output.flow.isOpen).toBe(true);
    await nextTurn();
    expect(output.flow.isOpen).toBe(false);
    await Promise.all([output.flow.whenOpen(), rig.read((received) => received.length > text.length)]);
    expect(output.flow.isOpen).toBe(true);
    output.finish(new Answer(), 'stop', usage);
    const { writes } = await rig.readAll();
    expect(writes.join('')).toBe(HEARTBEAT + frames.begin() + frames.text(text) + ending('stop'));
  });

  it.each([
    ['in the middle', false],
    ['at the end', true],
  ])('cuts a caller off that stops reading %s, and frees who waits for the gate', async (_when, isLast) => {
    const closed = once(rig.response, 'close');
    const output = open({ heartbeatIntervalMs: 20 });
    output.begin();
    output.text('x'.repeat(8_000_000));
    output.flush();
    await nextTurn();
    const freed = output.flow.whenOpen();
    if (isLast) {
      output.finish(new Answer(), 'stop', usage);
    }
    await closed;
    await freed;
    expect(rig.response.writableFinished).toBe(false);
    expect((await rig.readAll()).isWhole).toBe(false);
  });

  it('opens the gate and stops its timer when the caller leaves', async () => {
    const before = activeTimeouts();
    const output = open({ heartbeatIntervalMs: 20 });
    output.begin();
    output.text('x'.repeat(8_000_000));
    output.flush();
    await nextTurn();
    expect(output.flow.isOpen).toBe(false);
    rig.leave();
    await output.flow.whenOpen();
    expect(activeTimeouts()).toBeLessThanOrEqual(before);
  });

  it('lets go of a caller who left before there was an output', async () => {
    const closed = once(rig.response, 'close');
    rig.leave();
    await closed;
    const before = activeTimeouts();
    const output = open({ heartbeatAfterMs: 1, heartbeatIntervalMs: 1 });
    while (activeTimeouts() > before) {
      await nextTurn();
    }
    expect(output.isCommitted).toBe(false);
    output.begin();
    output.text('a');
    output.finish(new Answer(), 'stop', usage);
  });
});

function activeTimeouts(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
