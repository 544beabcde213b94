import { jest } from '@jest/globals';
import { NetworkLog } from '../../../src/common/network/network-log.js';
import { Clock } from '../../../src/common/time/clock.js';
import { type Gateway } from '../../../src/gateway.js';
import { type RequestDetails, type RequestOutcome } from '../../../src/logs/records/request-log-entry.js';
import { RequestLog } from '../../../src/logs/request-log.js';

const MODELS = ['svc-max', 'svc-plus', 'svc-max-no-thinking', 'svc-plus-no-thinking'];
const ACCOUNTS = ['team-a', 'team-b', 'night-shift'];
/** A gateway without keys names none. */
const KEYS = [{ key: 'ann' }, { key: 'nightly-tests' }, {}];
const CLIENTS = ['openai-js', 'openai-python', 'ai-sdk', 'curl'];
const QUESTIONS = [
  'Why does the parser test fail? expected 3, got 4',
  'Summarise the minutes of Tuesday in five bullet points, with the open questions at the end, and who has to answer th…',
  '翻译成英文:明天的会议改到下午三点。',
];
/** Every so often a request ends otherwise than well. */
const ENDS: readonly RequestOutcome[] = [
  ...Array<RequestOutcome>(9).fill('ok'),
  'rate_limited',
  ...Array<RequestOutcome>(5).fill('ok'),
  'upstream_error',
  ...Array<RequestOutcome>(6).fill('ok'),
  'cancelled',
  ...Array<RequestOutcome>(4).fill('ok'),
  'client_error',
];

const REQUESTS = 160;

/** Fills the log with the traffic of the last hour, the same at each call but for the time. */
export function seedLog(app: Gateway): void {
  const clock = app.get(Clock);
  const end = clock.now();
  const began = clock.monotonic();
  const at = { now: 0, monotonic: began };
  const spies = [
    jest.spyOn(clock, 'now').mockImplementation(() => at.now),
    jest.spyOn(clock, 'monotonic').mockImplementation(() => at.monotonic),
  ];
  try {
    for (let index = 0; index < REQUESTS; index++) {
      at.now = Math.round(end - 3_500_000 * (1 - index / REQUESTS) ** 1.3 - 4000);
      seedRequest(app, index, (ms) => {
        at.now += ms;
        at.monotonic += ms;
      });
    }
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
}

function seedRequest(app: Gateway, index: number, pass: (ms: number) => void): void {
  const id = `req_${(0x51f0a3 + index * 7919).toString(16).padStart(12, '0')}`;
  const log = app
    .get(RequestLog)
    .open({ id, method: 'POST', path: '/v1/chat/completions', operation: 'completion', ...KEYS[index % 3] });
  const outcome = ENDS[index % ENDS.length] ?? 'ok';
  const totalMs = 600 + ((index * 7477) % 9000);
  const account = ACCOUNTS[index % ACCOUNTS.length] ?? '';
  log.add({
    model: MODELS[index % MODELS.length],
    stream: index % 7 !== 0,
    client: CLIENTS[index % CLIENTS.length],
    excerpt: QUESTIONS[index % QUESTIONS.length],
    parameters: { max_tokens: 1000, temperature: 0.7, top_p: 0.9 },
  });
  if (outcome !== 'client_error') {
    log.add(dispatch(account, totalMs, outcome, index % 11 === 0));
    seedExchange(app, id, account, outcome === 'rate_limited' ? 429 : 200, () => pass(totalMs));
  } else {
    pass(2);
  }
  log.finish(outcome, { ...END_DETAILS[outcome], ...(outcome === 'ok' && answered(index, totalMs)) });
}

function dispatch(
  account: string,
  totalMs: number,
  outcome: RequestOutcome,
  isRetried: boolean,
): RequestDetails {
  const queuedMs = Math.round(totalMs * 0.05);
  const firstMs = isRetried ? Math.round(totalMs * 0.2) : 0;
  const startedMs = isRetried ? firstMs + 260 : queuedMs;
  const limited = {
    account: 'research',
    sessionId: 's9',
    startedMs: queuedMs,
    durationMs: firstMs,
    outcome: 'rate_limited',
    detail: 'The upstream limits this account.',
    considered: [
      { account: 'research', outcome: 'chosen' },
      ...ACCOUNTS.map((other) => ({ account: other, outcome: 'no_free_session' })),
    ],
  };
  const isIdle = outcome === 'upstream_error';
  const last = {
    account,
    sessionId: 's2',
    startedMs,
    durationMs: totalMs - startedMs,
    outcome: isIdle ? 'upstream_idle' : outcome,
    ...(isIdle && { detail: 'The upstream sent nothing for 60 s.' }),
    considered: [
      { account, outcome: 'chosen' },
      ...ACCOUNTS.filter((other) => other !== account).map((other) => ({
        account: other,
        outcome: 'more_leases',
      })),
      { account: 'research', outcome: isRetried ? 'cooldown' : 'used_more_recently' },
    ],
  };
  return {
    account,
    sessionId: 's2',
    queuedMs,
    attempts: isRetried ? [limited, last] : [last],
    ...(outcome !== 'rate_limited' && { acceptedMs: startedMs + 90, firstAnswerMs: startedMs + 240 }),
  };
}

const END_DETAILS: Partial<Record<RequestOutcome, RequestDetails>> = {
  rate_limited: {
    status: 429,
    error: {
      code: 'rate_limit',
      reason: 'rate_limited',
      message: 'Every account is cooling down. Try again in 87 seconds.',
      cause: 'rate_limited',
    },
  },
  upstream_error: {
    status: 500,
    error: {
      code: 'internal_error',
      reason: 'upstream_idle',
      message: 'The upstream stopped answering.',
      cause: 'upstream_idle',
    },
  },
  client_error: {
    status: 400,
    error: {
      code: 'invalid_request',
      reason: 'invalid_request',
      message: 'messages[3].tool_call_id must name a tool call of an earlier assistant message.',
    },
  },
};

function answered(index: number, totalMs: number): RequestDetails {
  const callsTool = index % 4 === 1;
  const promptTokens = 900 + ((index * 911) % 38_000);
  return {
    status: 200,
    firstTokenMs: Math.round(totalMs * 0.3),
    usage: {
      promptTokens,
      completionTokens: 40 + ((index * 131) % 1900),
      reasoningTokens: index % 4 < 2 ? 60 + index : 0,
      cachedTokens: index % 3 === 0 ? 0 : Math.round(promptTokens * 0.8),
    },
    finishReason: callsTool ? 'tool_calls' : index % 17 === 0 ? 'length' : 'stop',
    ...(callsTool && {
      toolCalls: [
        {
          id: `call_${index}`,
          name: 'read_file',
          arguments: '{"path":"src/parser/lexer.ts","limit":200}',
          repairs: index % 8 === 1 ? ['trailing_comma'] : [],
        },
      ],
    }),
    ...(index % 6 === 5 && {
      condensed: [
        {
          message: 3,
          tool: 'run_tests',
          rules: ['ansi', 'log_template'],
          before: 18_230,
          after: 2411,
          content: { before: 'PASS src/parser/lexer.spec.ts\n'.repeat(60), after: TEST_OUTPUT },
        },
      ],
    }),
    ...(index % 13 === 12 && {
      corrections: [
        {
          atMs: Math.round(totalMs * 0.25),
          cause: 'echo' as const,
          action: 'regenerated' as const,
          detail: '812 characters repeated the result of run_tests',
        },
      ],
    }),
    content: {
      messages: [
        { role: 'system', content: 'You are a careful engineer. Answer in short sentences.' },
        { role: 'user', content: 'Why does the parser test fail?\n\n    expected 3, got 4', chars: 29_489 },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_0', name: 'run_tests', arguments: '{"pattern":"parser"}' }],
        },
        { role: 'tool', toolCallId: 'call_0', content: TEST_OUTPUT },
      ],
      reasoning:
        'The test counts the closing marker as a token. The lexer emits it once more at the end of input.',
      answer:
        'The lexer emits the closing marker twice: at `]]`, and again at the end of input.\n\nReturn early in `finish()` when nothing is pending.',
    },
  };
}

const TEST_OUTPUT = `PASS ×298
FAIL src/parser/lexer.spec.ts
  ● counts tokens
    expected 3, got 4
      at Object.<anonymous> (src/parser/lexer.spec.ts:12:5)`;

function seedExchange(
  app: Gateway,
  requestId: string,
  account: string,
  status: number,
  pass: () => void,
): void {
  const exchange = app.get(NetworkLog).begin({
    requestId,
    account,
    method: 'POST',
    url: 'http://chat.example.test/api/conversations/4711/messages',
    headers: { 'content-type': 'application/json', cookie: 'session=abc', 'x-csrf-token': 'abc' },
    body: '{"model":"large","prompt":"Why does the parser test fail?","thinking":true}',
    bytes: 74,
  });
  exchange.head(status, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  pass();
  exchange.data(61, 'data: {"type":"text","text":"The lexer emits"}\n\ndata: [DONE]\n\n');
  exchange.end();
}
