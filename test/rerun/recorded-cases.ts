import { type ChatMessage } from '../../src/chat/interfaces/chat-message.js';
import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../src/upstream/upstream.errors.js';
import { type UpstreamEvent } from '../../src/upstream/upstream-driver.js';
import { ECHOES } from '../echo/echoes.js';
import { HARMLESS } from '../echo/harmless.js';
import { type LabelledReply } from '../echo/labelled-reply.js';
import { coercion } from '../tool-calls/cases/coercion.js';
import { dialects } from '../tool-calls/cases/dialects.js';
import { malformed } from '../tool-calls/cases/malformed.js';
import { nestedMarkup } from '../tool-calls/cases/nested-markup.js';
import { parallel } from '../tool-calls/cases/parallel.js';
import { text } from '../tool-calls/cases/text.js';
import { truncated } from '../tool-calls/cases/truncated.js';
import { unicode } from '../tool-calls/cases/unicode.js';
import { wellFormed } from '../tool-calls/cases/well-formed.js';
import { type ToolCallCase, TOOLS } from '../tool-calls/tool-call-case.js';

/** Answer of the upstream to one prompt: its reads, and its end. */
export interface Play {
  readonly events: readonly UpstreamEvent[];
  /** Missing for a connection that ends in good order. */
  readonly error?: Error;
}

/** A request, and what the upstream does with each prompt that it makes. */
export interface RecordedCase {
  readonly name: string;
  readonly body: object;
  /** The last one is repeated. */
  readonly plays: readonly Play[];
}

const ACCEPTED: UpstreamEvent = { type: 'accepted' };
const DONE: UpstreamEvent = { type: 'done', reason: 'stop' };
const ASKED: ChatMessage = { role: 'user', content: 'Go on.' };
const FINE: Play = { events: [ACCEPTED, ...pieces('Fine, here is a short answer.', 5), DONE] };

function pieces(whole: string, size: number): UpstreamEvent[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => ({
    type: 'text',
    text: whole.slice(at * size, (at + 1) * size),
  }));
}

function every<T>(step: number, list: readonly T[]): T[] {
  return list.filter((_, at) => at % step === 0);
}

function toolCase({ name, upstream, isSerial, demanded }: ToolCallCase): RecordedCase {
  const choice =
    typeof demanded === 'string' ? { type: 'function', function: { name: demanded } } : 'required';
  return {
    name: `tools: ${name}`,
    body: {
      messages: [ASKED],
      tools: TOOLS,
      ...(isSerial && { parallel_tool_calls: false }),
      ...(demanded && { tool_choice: choice }),
    },
    plays: [{ events: [ACCEPTED, ...pieces(upstream, 11), DONE] }, FINE],
  };
}

function echoCase({ name, asked, results, reply }: LabelledReply): RecordedCase {
  const calls = results.map((_, at) => ({
    id: `call_${at}`,
    type: 'function' as const,
    function: { name: 'read_file', arguments: '{"path":"a"}' },
  }));
  const messages: ChatMessage[] = [
    { role: 'user', content: asked },
    { role: 'assistant', content: null, tool_calls: calls },
    ...results.map(({ text: content }, at): ChatMessage => ({
      role: 'tool',
      tool_call_id: `call_${at}`,
      content,
    })),
  ];
  return {
    name: `echo: ${name}`,
    body: { messages, tools: TOOLS },
    plays: [{ events: [ACCEPTED, ...pieces(reply, 23), DONE] }, FINE],
  };
}

function cutCase({ name, upstream }: ToolCallCase, at: number): RecordedCase {
  const events = [ACCEPTED, ...pieces(upstream.slice(0, Math.ceil(upstream.length / 2)), 6)];
  const error = new UnavailableError('stream_reset', 'The connection was cut.');
  return {
    name: `cut ${at % 2 === 0 ? 'with' : 'without'} an error: ${name}`,
    body: { messages: [ASKED], tools: TOOLS },
    plays: [{ events, ...(at % 2 === 0 && { error }) }, FINE],
  };
}

const FAILURES: Readonly<Record<string, Error>> = {
  'a rate limit': new RateLimitedError(1, { message: 'Too many.' }),
  'a login wall': new LoginRequiredError('login_wall', 'Logged out.'),
  'status 500': new UnavailableError('upstream_status_500', 'It failed.'),
  'an overload': new UnavailableError('overloaded', 'It is overloaded.'),
  'a prompt that is too long': new RejectedError('too_long', 'Too long.'),
  'a refused prompt': new RejectedError('unsupported', 'No pictures.'),
  'a refused field': new RejectedError('invalid_request', 'Refused.', { field: 'messages' }),
  'a fault of its own': new TypeError('A bug.'),
};

const failures: RecordedCase[] = Object.entries(FAILURES).flatMap(([name, error]) => [
  { name: `${name}, then an answer`, body: { messages: [ASKED] }, plays: [{ events: [], error }, FINE] },
  { name: `${name}, always`, body: { messages: [ASKED] }, plays: [{ events: [], error }] },
  {
    name: `${name} once the prompt was taken`,
    body: { messages: [ASKED] },
    plays: [{ events: [ACCEPTED], error }, FINE],
  },
]);

const reasoning: readonly UpstreamEvent[] = [
  { type: 'reasoning', text: 'Let me ' },
  { type: 'reasoning', text: 'think. 😀' },
];
const others: RecordedCase[] = [
  {
    name: 'reasoning and usage of the upstream',
    body: { messages: [ASKED] },
    plays: [
      {
        events: [
          ACCEPTED,
          ...reasoning,
          ...pieces('An answer with 🎉 in it.', 3),
          {
            type: 'usage',
            usage: { promptTokens: 7, completionTokens: 9, reasoningTokens: 3, cachedTokens: 1 },
          },
          DONE,
        ],
      },
    ],
  },
  {
    name: 'thoughts within the text',
    body: { messages: [ASKED] },
    plays: [{ events: [ACCEPTED, ...pieces('<think>Well.</think>Yes.', 4), DONE] }],
  },
  {
    name: 'a stop sequence',
    body: { messages: [ASKED], stop: ['END'] },
    plays: [{ events: [ACCEPTED, ...pieces('One two END three', 2), DONE] }],
  },
  {
    name: 'a limit of tokens',
    body: { messages: [ASKED], max_tokens: 5 },
    plays: [{ events: [ACCEPTED, ...pieces('One two three four five six seven eight', 3), DONE] }],
  },
  {
    name: 'JSON that is asked for',
    body: { messages: [ASKED], response_format: { type: 'json_object' } },
    plays: [{ events: [ACCEPTED, ...pieces('Here: {"a": [1, 2]}', 3), DONE] }],
  },
  {
    name: 'an answer that is no JSON',
    body: { messages: [ASKED], response_format: { type: 'json_object' } },
    plays: [{ events: [ACCEPTED, ...pieces('I would rather not.', 3), DONE] }, FINE],
  },
];

export const CASES: readonly RecordedCase[] = [
  ...[wellFormed, parallel, nestedMarkup, text, malformed, truncated, coercion, unicode].flatMap((list) =>
    every(3, list).map(toolCase),
  ),
  ...every(9, dialects).map(toolCase),
  ...every(4, ECHOES).map(echoCase),
  ...every(8, HARMLESS).map(echoCase),
  ...every(9, [...wellFormed, ...parallel, ...dialects]).map(cutCase),
  ...failures,
  ...others,
];
