import { afterEach, describe, expect, it } from '@jest/globals';
import { errorEvent, internalError } from '../support/gateway/error-texts.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { chunk, hangs, resets, streamError, truncated } from '../support/upstream/openai-stub-plans.js';
import { readEvents } from '../support/watch/read-events.js';

const CUT = 'the upstream cut its answer off.';

describe('an answer that fails after its first byte', () => {
  let gateway: StubGateway;

  async function start(settings: Parameters<typeof StubGateway.start>[0] = {}): Promise<void> {
    gateway = await StubGateway.start(settings);
  }

  afterEach(() => gateway.close());

  it.each<[string, string, StubPlan]>([
    ['a broken connection', CUT, resets(2)],
    ['an answer that ends early', CUT, truncated(2)],
    [
      'an error event',
      'the upstream failed to answer.',
      streamError({ message: 'out of memory at /srv/secret' }, 2),
    ],
    ['silence', 'the upstream was silent for 0.2 s within its answer.', hangs(2)],
  ])(
    '%s ends the stream with an error event and a broken connection, without finish chunk and [DONE]',
    async (_what, told, plan) => {
      await start({ UPSTREAM_IDLE_MS: 200 });
      gateway.stub.answerWith(plan);
      const { status, text, isWhole } = await gateway.complete(ASK);
      const frames = text.split('\n\n');
      expect(status).toBe(200);
      expect(frames[0]).toBe(': heartbeat');
      expect(frames.slice(2).map((frame) => /"content":"(.*?)"/.exec(frame)?.[1])).toEqual([
        '0 ',
        '1 ',
        undefined,
        undefined,
      ]);
      expect(`${frames.at(-2)}\n\n`).toBe(errorEvent(told));
      expect(isWhole).toBe(false);
      expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
      expect(gateway.stub.requests).toHaveLength(1);
      expect(gateway.lastEntry).toMatchObject({ outcome: 'upstream_error', status: 200 });
    },
  );

  const AGENT = 'codex_exec/0.94.0 (Debian 12.0.0; x86_64) unknown';
  const AI_SDK = 'ai/7.0.173 ai-sdk-provider-utils/5.0.81 node.js/24';
  it.each([
    ['auto', 'node', true, false],
    ['auto', 'OpenAI/JS 7.57.0', true, false],
    ['auto', AI_SDK, true, true],
    ['auto', AGENT, false, false],
    ['event', AGENT, true, false],
    ['event', AI_SDK, true, true],
    ['drop', 'node', false, false],
    ['drop', AI_SDK, false, false],
  ] as const)(
    'STREAM_FAILURE=%s ends the stream of %s with an event: %s, and cleanly: %s',
    async (STREAM_FAILURE, agent, hasEvent, isClean) => {
      await start({ STREAM_FAILURE });
      gateway.stub.answerWith(truncated(2));
      const { text, isWhole } = await gateway.complete(
        { ...ASK, stream: true },
        { headers: { 'user-agent': agent } },
      );
      const said = [...text.matchAll(/"content":"([^"]+)"/g)].map(([, content]) => content);
      expect({ said, hasEvent: text.endsWith(errorEvent(CUT)), isWhole }).toEqual({
        said: ['0 ', '1 '],
        hasEvent,
        isWhole: isClean,
      });
      expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
    },
  );

  const MESSAGE = { path: '/v1/messages', body: { messages: ASK.messages, max_tokens: 9 } };
  const RESPONSE = { path: '/v1/responses', body: { input: 'Hi' } };
  it.each([
    ['auto', 'node', MESSAGE, 'error', false],
    ['auto', AGENT, MESSAGE, undefined, false],
    ['event', AGENT, MESSAGE, 'error', false],
    // A failed response ends with an event of its format, on whose code its clients act.
    ['auto', 'node', RESPONSE, 'response.failed', true],
    ['auto', AGENT, RESPONSE, 'response.failed', true],
    ['drop', AGENT, RESPONSE, undefined, false],
  ] as const)(
    'STREAM_FAILURE=%s ends the stream of %s over %j with %s, and cleanly: %s',
    async (STREAM_FAILURE, agent, { path, body }, end, isClean) => {
      await start({ STREAM_FAILURE });
      gateway.stub.answerWith(truncated(2));
      const { status, text, isWhole } = await gateway.complete(
        { model: ASK.model, stream: true, ...body },
        { headers: { 'user-agent': agent } },
        path,
      );
      const events = readEvents(text);
      const pieces = events.flatMap(({ data: { delta } }) => delta ?? []);
      const said =
        path === MESSAGE.path
          ? ['0 ', '1 '].map((piece) => ({ type: 'text_delta', text: piece }))
          : ['0 ', '1 '];
      expect({ status, pieces, isWhole }).toEqual({ status: 200, pieces: said, isWhole: isClean });
      const last = events.at(-1);
      expect(last?.event).toBe(
        end ?? (path === MESSAGE.path ? 'content_block_delta' : 'response.output_text.delta'),
      );
      expect(JSON.stringify(last).includes(`Internal server error: ${CUT}`)).toBe(end !== undefined);
      expect(text).not.toMatch(/message_stop|response\.completed/);
    },
  );

  it('a JSON answer still has its real status code', async () => {
    await start();
    gateway.stub.answerWith(truncated(2));
    const answered = await gateway.complete({ ...ASK, stream: false });
    expect([answered.status, JSON.parse(answered.text)]).toEqual([500, { error: internalError(CUT) }]);
  });

  it('a tool call that is cut off is never complete', async () => {
    await start();
    const part = { index: 0, id: 'call_a', function: { name: 'read', arguments: '{"path":"a"}' } };
    gateway.stub.answerWith(async (reply) => {
      await reply.event(chunk({ role: 'assistant', content: 'Reading.' }));
      await reply.event(chunk({ tool_calls: [part] }));
      await reply.wait(20);
      reply.reset();
    });
    const { text } = await gateway.complete({
      ...ASK,
      tools: [{ type: 'function', function: { name: 'read' } }],
    });
    expect(text).toContain('"content":"Reading."');
    expect(text).not.toContain('path');
    expect(text.endsWith(errorEvent(CUT))).toBe(true);
  });
});
