import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ResponseRig } from '../../../../test/support/watch/response-rig.js';
import { Answer } from '../answer.js';
import { toChatCompletion } from './chat-completion-body.js';
import { ONLY_CHOICE } from './choice-place.js';
import { JsonOutput, type JsonOutputOptions, type ToJsonBody } from './json-output.js';

const identity = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'svc-max' };
const toBody: ToJsonBody = (...whole) =>
  toChatCompletion(identity, { customTools: new Set(), place: ONLY_CHOICE }, ...whole);
const usage = { promptTokens: 5, completionTokens: 7, reasoningTokens: 3, cachedTokens: 1 };
const WIRE_USAGE =
  '"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12,' +
  '"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cached_tokens":1}}';

/** White space as it stands in a chunked body. */
const WHITE_SPACE = '1\r\n\n\r\n';

/** The body with a message and a finish reason in it. */
function body(message: string, reason: string): string {
  return (
    '{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"svc-max",' +
    '"system_fingerprint":"fp_gateway_1","service_tier":"default","choices":[{"index":0,' +
    `"message":${message},"logprobs":null,"finish_reason":"${reason}"}],${WIRE_USAGE}}`
  );
}

function answerOf(text: string, reasoning = ''): Answer {
  const answer = new Answer();
  answer.addText(text);
  answer.addReasoning(reasoning);
  return answer;
}

describe('JsonOutput', () => {
  let rig: ResponseRig;

  beforeEach(async () => {
    rig = await ResponseRig.open();
  });

  afterEach(() => rig.close());

  function open(options: Partial<JsonOutputOptions> = {}): JsonOutput {
    return new JsonOutput(rig.response, toBody, { heartbeatIntervalMs: 60_000, ...options });
  }

  it('writes nothing before the end, then one JSON body', async () => {
    const output = open();
    output.begin();
    output.text();
    output.reasoning();
    output.flush();
    await nextTurn();
    expect(output.isCommitted).toBe(false);
    output.finish(answerOf('Hello 😀', 'why'), 'stop', usage);
    const expected = body(
      '{"role":"assistant","content":"Hello 😀","refusal":null,"reasoning_content":"why"}',
      'stop',
    );
    expect(await rig.readAll()).toEqual({
      status: 'HTTP/1.1 200 OK',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(expected)),
        date: expect.any(String),
        connection: 'close',
      },
      writes: [expected],
      isWhole: true,
    });
  });

  it.each([
    ['an empty answer', '', 'length', '{"role":"assistant","content":"","refusal":null}'],
    ['a cut answer', 'Hel', 'length', '{"role":"assistant","content":"Hel","refusal":null}'],
  ] as const)('writes %s', async (_what, text, reason, message) => {
    open().finish(answerOf(text), reason, usage);
    expect((await rig.readAll()).writes).toEqual([body(message, reason)]);
  });

  it.each([
    ['null', ''],
    ['"Reading."', 'Reading.'],
  ])('writes tool calls with content %s', async (content, text) => {
    const answer = answerOf(text);
    answer.addToolCall({ index: 0, id: 'call_1', name: 'read', arguments: '{"path":' });
    answer.addToolCall({ index: 1, id: 'call_2', name: 'grep', arguments: '{}' });
    answer.addToolCall({ index: 0, arguments: '"a"}' });
    open().finish(answer, 'tool_calls', usage);
    const message =
      `{"role":"assistant","content":${content},"refusal":null,"tool_calls":[` +
      '{"id":"call_1","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}},' +
      '{"id":"call_2","type":"function","function":{"name":"grep","arguments":"{}"}}]}';
    expect((await rig.readAll()).writes).toEqual([body(message, 'tool_calls')]);
  });

  it('begins a slow answer with white space, and goes on with it', async () => {
    const output = open({ beginAfterMs: 1, heartbeatIntervalMs: 20 });
    await rig.read((received) => received.split(WHITE_SPACE).length > 2);
    expect(output.isCommitted).toBe(true);
    output.finish(answerOf('Hi'), 'stop', usage);
    const { headers, writes, isWhole } = await rig.readAll();
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
      'x-accel-buffering': 'no',
    });
    expect(writes.slice(0, 2)).toEqual(['\n', '\n']);
    expect(writes.join('').trimStart()).toBe(
      body('{"role":"assistant","content":"Hi","refusal":null}', 'stop'),
    );
    expect(isWhole).toBe(true);
  });

  it('writes no white space once it is about to be dropped', () => {
    const before = activeTimeouts();
    const output = open({ beginAfterMs: 1 });
    output.stopHeartbeats();
    expect([activeTimeouts() - before, output.isCommitted]).toEqual([0, false]);
  });

  it('breaks the connection if a slow answer fails after its beginning', async () => {
    const output = open({ beginAfterMs: 1 });
    await rig.read((received) => received.includes(WHITE_SPACE));
    output.fail();
    expect((await rig.readAll()).isWhole).toBe(false);
  });

  it('cuts a caller off that stops reading', async () => {
    const closed = once(rig.response, 'close');
    open({ heartbeatIntervalMs: 20 }).finish(answerOf('x'.repeat(8_000_000)), 'stop', usage);
    await closed;
    expect(rig.response.writableFinished).toBe(false);
  });

  it('stops its timer with the response', async () => {
    const before = activeTimeouts();
    const output = open();
    expect(activeTimeouts()).toBe(before + 1);
    output.finish(answerOf('Hi'), 'stop', usage);
    await rig.readAll();
    expect(activeTimeouts()).toBe(before);
  });

  it('lets go of a caller who left before there was an output', async () => {
    const closed = once(rig.response, 'close');
    rig.leave();
    await closed;
    const before = activeTimeouts();
    const output = open({ beginAfterMs: 1, heartbeatIntervalMs: 1 });
    while (activeTimeouts() > before) {
      await nextTurn();
    }
    expect(output.isCommitted).toBe(false);
    output.finish(answerOf('Hi'), 'stop', usage);
  });
});

function activeTimeouts(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
