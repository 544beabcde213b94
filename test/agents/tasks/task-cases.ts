import { type Settings } from '../../../src/common/config/settings.js';
import { type StubGateway } from '../../support/gateway/stub-gateway.js';
import { type StubPlan, type StubReply } from '../../support/upstream/openai-stub.js';
import {
  answerEvents,
  failed,
  hangs,
  rateLimited,
  resets,
} from '../../support/upstream/openai-stub-plans.js';
import { type ScriptedCall } from '../../support/upstream/scripted-model.js';

/** Pieces of text before a stream breaks. */
const WORDS = 40;
/** Duration of the upstream's outage. */
const DOWN_MS = 1500;
const LONG_LIMIT_S = 120;

/** One thing that can happen within a task. */
export interface TaskCase {
  readonly name: string;
  readonly task: 'two steps' | 'nine steps' | 'nine long steps' | 'a picture';
  readonly settings?: Partial<Settings>;
  /** Plan of the upstream in place of its second answer, or of another. */
  readonly disturbance?: (gateway: StubGateway, step: ScriptedCall) => StubPlan;
  /** Message to the user from a client that gives up. */
  readonly tells?: RegExp;
  /** Results before that. */
  readonly disturbedAfter?: number;
}

export const TASK_CASES: readonly TaskCase[] = [
  { name: 'two steps', task: 'two steps' },
  { name: 'nine steps', task: 'nine steps' },
  { name: 'nine steps, calls as text', task: 'nine steps', settings: { TOOL_MODE: 'emulated' } },
  {
    name: 'upstream cut within words',
    task: 'two steps',
    disturbance: () => resets(WORDS),
    tells: /Internal server error: .*cut its answer off|terminated/,
  },
  {
    name: 'upstream cut within a call',
    task: 'two steps',
    disturbance: (_gateway, step) => cutWithin(step),
    tells: /Internal server error: .*cut its answer off|terminated/,
  },
  {
    name: 'upstream silent',
    task: 'two steps',
    settings: { UPSTREAM_IDLE_MS: 1500 },
    disturbance: () => hangs(WORDS),
    tells: /Internal server error: .*silent|terminated/,
  },
  {
    name: 'upstream restarted',
    task: 'two steps',
    settings: { RETRY_BASE_DELAY_MS: 500, RETRY_MAX_DELAY_MS: 1000 },
    disturbance: ({ stub }) => begunThen(() => void stub.restart(DOWN_MS)),
    tells: /Internal server error: |terminated|ended without a finish reason/,
  },
  {
    name: 'gateway restarted',
    task: 'two steps',
    settings: { DRAIN_MS: 100 },
    disturbance: (gateway) => begunThen(() => void gateway.restart()),
    tells: /shutting down|restarting|terminated|Connection error|Unable to connect/i,
  },
  {
    name: 'limit of 3 s',
    task: 'two steps',
    disturbance: () => rateLimited({ retryAfter: '3' }),
  },
  {
    name: `limit of ${LONG_LIMIT_S} s`,
    task: 'two steps',
    disturbance: () => rateLimited({ retryAfter: String(LONG_LIMIT_S) }),
    tells: /429|limited until/,
  },
  {
    // Where there is nothing that could be compacted, clients give up by design.
    name: 'context overflow',
    task: 'nine long steps',
    disturbedAfter: 7,
    disturbance: () =>
      failed(400, {
        message: "This model's maximum context length is 9000 tokens, your messages resulted in 9500 tokens.",
        code: 'context_length_exceeded',
      }),
    tells: /maximum context length is 9000 tokens/,
  },
  { name: 'picture in the history', task: 'a picture', tells: /this upstream takes text only/ },
];

/** Some words, then something happens while the stream is open. */
function begunThen(happen: () => void): StubPlan {
  return async (reply) => {
    await sendAll(reply, answerEvents({ pieces: WORDS, finishReason: null }));
    await reply.wait(100);
    happen();
  };
}

/** The call, but for its last character. */
function cutWithin({ name, input }: ScriptedCall): StubPlan {
  const json = JSON.stringify(input).slice(0, -1);
  return async (reply) => {
    const pieces = json.match(/[^]{1,9}/g) ?? [];
    const toolCalls = [{ id: 'call_cut', name, arguments: pieces }];
    await sendAll(reply, answerEvents({ pieces: [], toolCalls, finishReason: null }));
    // A reset throws away what the other side has not read yet.
    await reply.wait(100);
    reply.reset();
  };
}

async function sendAll(reply: StubReply, events: readonly object[]): Promise<void> {
  for (const event of events) {
    await reply.event(event);
  }
}
