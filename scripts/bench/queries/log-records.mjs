/** Requests as a gateway logs them, the same at each call but for the time. */

const DAY_MS = 86_400_000;
const MODELS = ['svc-max', 'svc-plus', 'svc-max-no-thinking', 'svc-plus-no-thinking'];
const CLIENTS = ['openai-js/6.9.1', 'openai-python/2.8.0', 'ai-sdk/5.0.93', 'anthropic-js/0.71', undefined];
const ACCOUNTS = Array.from({ length: 12 }, (_, index) => `team-${index + 1}`);
const KEYS = ['ci', 'agents', 'support', 'research'];
const REASONS = ['invalid_request', 'upstream_idle', 'rate_limited'];
const OUTCOMES = ['client_error', 'upstream_error', 'rate_limited'];
const STATUSES = [400, 502, 429];

/** Values of the oldest request alone, so that a search for one has to look at all. */
export const RARE = {
  client: 'rare-client/1.0',
  key: 'rare-key',
  model: 'rare-model',
  account: 'rare-account',
  conversation: 'feedfacefeedface',
  reason: 'browser_missing',
  word: 'hapaxlegomenon',
};
/** Longer than all but the oldest. */
export const RARE_MS = 900_000;

/**
 * The requests of the last five days, oldest first, each followed by its exchange.
 *
 * @param count of requests
 * @param now Unix milliseconds
 */
export function* logRecords(count, now) {
  for (let index = 0; index < count; index++) {
    const startedAt = Math.floor(now - 5 * DAY_MS * (1 - index / count));
    const request = index === 0 ? rarest(requestOf(0, startedAt)) : requestOf(index, startedAt);
    yield request;
    yield exchangeOf(request, index);
  }
}

function requestOf(index, startedAt) {
  const failure = index % 25 === 24 ? ((index / 25) % 3) | 0 : undefined;
  const totalMs = 600 + ((index * 7477) % 59_000);
  const account = ACCOUNTS[index % ACCOUNTS.length];
  return {
    kind: 'request',
    id: `req_${(0x51f0a3 + index * 7919).toString(16).padStart(16, '0')}`,
    startedAt,
    method: 'POST',
    path: '/v1/chat/completions',
    operation: 'completion',
    key: KEYS[index % KEYS.length],
    outcome: failure === undefined ? 'ok' : OUTCOMES[failure],
    status: failure === undefined ? 200 : STATUSES[failure],
    totalMs,
    model: MODELS[index % MODELS.length],
    stream: index % 7 !== 0,
    client: CLIENTS[index % CLIENTS.length],
    excerpt: `Why does test ${index} of the parser fail? It expected ${index % 90} tokens and got one more.`,
    parameters: { max_tokens: 8000, temperature: 0.7, top_p: 0.9, reasoning_effort: 'medium' },
    conversation: (0x1000000 + (index >> 3)).toString(16).padStart(16, '0'),
    turn: (index & 7) + 1,
    account,
    sessionId: `s${index % 30}`,
    queuedMs: index % 90,
    acceptedMs: 120 + (index % 90),
    firstAnswerMs: 400 + (index % 300),
    firstTokenMs: 420 + (index % 300),
    attempts: [
      {
        account,
        sessionId: `s${index % 30}`,
        startedMs: index % 90,
        durationMs: totalMs,
        outcome: failure === undefined ? 'ok' : REASONS[failure],
        considered: ACCOUNTS.map((name) => ({
          account: name,
          outcome: name === account ? 'chosen' : 'more_leases',
        })),
      },
    ],
    ...(failure === undefined
      ? { usage: usageOf(index), finishReason: index % 4 === 1 ? 'tool_calls' : 'stop' }
      : { error: { code: 'internal_error', reason: REASONS[failure], message: 'The request failed.' } }),
    ...(index % 6 === 5 && {
      condensed: [
        { message: 3, tool: 'run_tests', rules: ['ansi', 'log_template'], before: 18_230, after: 2411 },
      ],
    }),
    ...(index % 4 === 1 && {
      toolCalls: [{ id: `call_${index}`, name: 'read_file', arguments: `{"path":"src/${index}.ts"}` }],
    }),
    content: contentOf(index),
  };
}

function usageOf(index) {
  return {
    promptTokens: 900 + ((index * 911) % 38_000),
    completionTokens: 40 + ((index * 131) % 1900),
    reasoningTokens: 60 + (index % 700),
    cachedTokens: (index % 40) * 20,
  };
}

/** As LOG_CONTENT `preview` keeps it. */
function contentOf(index) {
  return {
    messages: [
      { role: 'system', content: 'You are a careful engineer. '.repeat(18), chars: 6200 },
      { role: 'user', content: `Look at test ${index} of the parser. `.repeat(12), chars: 29_489 },
      { role: 'tool', toolCallId: `call_${index}`, content: 'PASS src/parser/lexer.spec.ts\n'.repeat(16) },
    ],
    reasoning: `The lexer emits marker ${index} once more at the end of input. `.repeat(8),
    answer: `Return early in finish() when nothing of ${index} is pending. `.repeat(8),
  };
}

function rarest(request) {
  const { client, key, model, account, conversation, reason, word } = RARE;
  return {
    ...request,
    client,
    key,
    model,
    account,
    conversation,
    totalMs: RARE_MS,
    outcome: 'upstream_error',
    status: 503,
    error: { code: 'internal_error', reason, message: word },
  };
}

function exchangeOf({ id, startedAt, totalMs, account, status }, index) {
  return {
    kind: 'network',
    id: id.replace('req', 'net'),
    requestId: id,
    startedAt: startedAt + 1,
    method: 'POST',
    url: `https://chat.example/api/conversations/${index}/messages`,
    status,
    totalMs,
    account,
    requestHeaders: { 'content-type': 'application/json', accept: 'text/event-stream' },
    responseHeaders: { 'content-type': 'text/event-stream', 'x-request-id': id },
  };
}
