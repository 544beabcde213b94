import { describe, expect, it } from '@jest/globals';
import { type RateLimitedError, type UpstreamError } from '../upstream.errors.js';
import { type Failure, refusesOrder, toUpstreamError } from './upstream-failure.js';

type Told = Pick<Failure, 'text'> & Partial<Failure>;

/** The error for a failure that told no codes, unless it names some. */
function judge(told: Told): UpstreamError {
  return toUpstreamError({ codes: [], message: told.text, ...told });
}

describe('toUpstreamError', () => {
  it.each<[string, Told, string, string]>([
    ['429', { status: 429, text: '' }, 'RateLimitedError', 'rate_limited'],
    [
      '429 that complains of length',
      { status: 429, text: 'too many tokens' },
      'RateLimitedError',
      'rate_limited',
    ],
    ['402, no credit left', { status: 402, text: '' }, 'RateLimitedError', 'rate_limited'],
    ['401', { status: 401, text: '' }, 'LoginRequiredError', 'login_wall'],
    [
      '401 for a bad key',
      { status: 401, text: 'invalid_api_key; Incorrect API key provided: sk-1' },
      'LoginRequiredError',
      'invalid_credentials',
    ],
    ...[
      'Invalid Authentication',
      'token expired or incorrect',
      'No auth credentials found',
      'Not authenticated',
    ].map((text): [string, Told, string, string] => [
      `401 with ${text}`,
      { status: 401, text },
      'LoginRequiredError',
      'invalid_credentials',
    ]),
    ['400 with Invalid token', { status: 400, text: 'Invalid token' }, 'RejectedError', 'invalid_request'],
    [
      '401 for a model',
      {
        status: 401,
        text: "key_model_access_denied; key not allowed to access model. This key can only access models=['a']",
      },
      'RejectedError',
      'model_refused',
    ],
    [
      '401 for a model in the words of a failed authentication',
      { status: 401, text: 'auth_error; Authentication Error, API Key not allowed to access model.' },
      'RejectedError',
      'model_refused',
    ],
    ['403', { status: 403, text: '' }, 'LoginRequiredError', 'login_wall'],
    ['403 for a bad key', { status: 403, text: 'Unauthorized' }, 'LoginRequiredError', 'invalid_credentials'],
    ['403 for a prompt', { status: 403, text: 'Input was flagged' }, 'RejectedError', 'invalid_request'],
    [
      '403 for a model',
      { status: 403, text: 'Project `p` does not have access to model `m`; model_not_found' },
      'RejectedError',
      'model_refused',
    ],
    [
      '429 for what no wait makes room for',
      {
        status: 429,
        text: 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.',
      },
      'RejectedError',
      'too_long',
    ],
    [
      '400 for a bad key',
      { status: 400, text: 'API key not valid.' },
      'LoginRequiredError',
      'invalid_credentials',
    ],
    [
      '400 for a failed authentication',
      { status: 400, text: 'Authentication failed; authentication_error' },
      'LoginRequiredError',
      'login_wall',
    ],
    ['400', { status: 400, text: 'bad' }, 'RejectedError', 'invalid_request'],
    [
      '500 for the order of the messages',
      { status: 500, text: 'System message must be at the beginning.' },
      'RejectedError',
      'invalid_request',
    ],
    [
      'an error within an answer for their order',
      { text: 'Jinja Exception: Conversation roles must alternate user/assistant' },
      'RejectedError',
      'invalid_request',
    ],
    ['404', { status: 404, text: 'Not Found' }, 'RejectedError', 'invalid_request'],
    ['404 for a model', { status: 404, text: 'model not found' }, 'RejectedError', 'model_refused'],
    [
      '404 for a model in the words of OpenAI',
      { status: 404, text: 'The model `m` does not exist or you do not have access to it.' },
      'RejectedError',
      'model_refused',
    ],
    [
      '404 for a model in the words of Gemini',
      { status: 404, text: '404; NOT_FOUND; models/m is not found for API version v1beta' },
      'RejectedError',
      'model_refused',
    ],
    [
      '404 for a data policy of the account in the words of OpenRouter',
      { status: 404, text: '404; No endpoints found matching your data policy (Free model publication).' },
      'RejectedError',
      'model_refused',
    ],
    [
      '404 for restrictions of the account in the words of OpenRouter',
      { status: 404, text: 'No endpoints available matching your guardrail restrictions and data policy.' },
      'RejectedError',
      'model_refused',
    ],
    [
      '404 for a model in the words of OpenRouter',
      { status: 404, text: '404; No endpoints found for a/m.' },
      'RejectedError',
      'model_refused',
    ],
    [
      '404 for tools that no provider of the model takes',
      { status: 404, text: '404; No endpoints found that support tool use. Try disabling "f".' },
      'RejectedError',
      'invalid_request',
    ],
    [
      '404 for parameters that no provider of the model takes',
      { status: 404, text: 'No endpoints found that can handle the requested parameters.' },
      'RejectedError',
      'invalid_request',
    ],
    ['400 for a model', { status: 400, text: 'Model Not Exist' }, 'RejectedError', 'invalid_request'],
    ['422', { status: 422, text: '' }, 'RejectedError', 'invalid_request'],
    ['413', { status: 413, text: '' }, 'RejectedError', 'too_long'],
    ['500', { status: 500, text: 'context length' }, 'UnavailableError', 'upstream_status_500'],
    ['503', { status: 503, text: 'rate limit' }, 'UnavailableError', 'upstream_status_503'],
    ['529', { status: 529, text: '' }, 'UnavailableError', 'upstream_status_529'],
    ['408', { status: 408, text: '' }, 'UnavailableError', 'upstream_status_408'],
    ['424', { status: 424, text: '' }, 'UnavailableError', 'upstream_status_424'],
    ['498', { status: 498, text: '' }, 'UnavailableError', 'upstream_status_498'],
    ['499', { status: 499, text: '' }, 'UnavailableError', 'upstream_status_499'],
    ['302', { status: 302, text: '' }, 'UnavailableError', 'upstream_status_302'],
    ['a rate limit without status', { text: 'rate_limit_exceeded' }, 'RateLimitedError', 'rate_limited'],
    ['a bad key without status', { text: 'invalid_api_key' }, 'LoginRequiredError', 'invalid_credentials'],
    ['a bad request without status', { text: 'invalid_request_error' }, 'RejectedError', 'invalid_request'],
    ['anything else without status', { text: 'boom' }, 'UnavailableError', 'upstream_error'],
  ])('maps %s', (_what, failure, name, fault) => {
    expect(judge(failure)).toMatchObject({ name, fault });
  });

  it.each<[Told, string]>([
    [
      { status: 404, text: 'model not found' },
      'has no model of this name, or does not let this gateway use it.',
    ],
    [{ status: 403, text: 'Input was flagged' }, 'filter of the upstream refuses this prompt.'],
    [{ status: 400, text: '', codes: ['content_filter'] }, 'filter of the upstream refuses this prompt.'],
    [{ text: '', codes: ['DataInspectionFailed'] }, 'filter of the upstream refuses this prompt.'],
    [{ status: 500, text: 'roles must alternate' }, 'rejects the messages in this order.'],
    [{ status: 422, text: 'bad' }, 'refused the request (status 422).'],
    [{ text: 'bad request' }, 'refused the request.'],
  ])('says why the upstream refuses %j', (told, message) => {
    expect(judge(told)).toMatchObject({ name: 'RejectedError', message: expect.stringContaining(message) });
  });

  it.each([
    ["Invalid schema for function 'check_authentication': 'type' is missing; invalid_function_parameters"],
    ["Invalid value: 'authentication error'. Supported values are: 'auto' and 'none'."],
    ['tool report_invalid_api_key has no parameters'],
    ['The function get-unauthorized-users was not declared.'],
    ["Invalid value: 'x' invalid api key 'y'. Supported values are: 'auto' and 'none'."],
    [`{'loc': ('body', 'service_tier'), 'input': "it's an invalid api key"}`],
    ['{"object":"error","message":"[{\'input\': \'invalid api key invalid api'],
  ])('holds no name or value of the request against the key: %s', (text) => {
    expect(judge({ status: 400, text })).toMatchObject({
      name: 'RejectedError',
      fault: 'invalid_request',
    });
    expect(judge({ text })).not.toMatchObject({ name: 'LoginRequiredError' });
  });

  it('holds no words against the account that the request itself holds', () => {
    const quoted = '["Unauthorized","rate limit"]';
    expect(judge({ status: 400, text: 'Tool unauthorized is unknown', quoted })).toMatchObject({
      name: 'RejectedError',
    });
    expect(judge({ text: 'Tool rate limit is unknown', quoted })).toMatchObject({
      name: 'UnavailableError',
    });
    expect(judge({ status: 400, text: 'Incorrect API key provided: k', quoted })).toMatchObject({
      name: 'LoginRequiredError',
    });
    expect(judge({ status: 401, text: 'Unauthorized', quoted })).toMatchObject({
      name: 'LoginRequiredError',
    });
  });

  it.each([
    'Error: rate limit exceeded',
    'Upstream error from Chutes: Rate limit exceeded',
    '[429] Too many requests',
    'Error code: 429 - slow down',
    'stream_error; 429 status code (no body)',
    'HTTP 429',
    'Request failed (rate limit exceeded)',
    '"model-x" is rate limited',
    "You've reached your quota, it's used up",
  ])('knows a rate limit within a stream: %s', (text) => {
    expect(judge({ text })).toMatchObject({ name: 'RateLimitedError', fault: 'rate_limited' });
  });

  it.each([
    "Cannot parse the call of 'get_rate_limit'.",
    'Unexpected "rate limit" in the arguments',
    "Expecting ',' delimiter: line 1 column 430 (char 429)",
    'messages[429] cannot be read',
  ])('does not take what is no complaint within a stream for a rate limit: %s', (text) => {
    expect(judge({ text })).toMatchObject({ name: 'UnavailableError', fault: 'upstream_error' });
  });

  it.each([
    ["Invalid 'messages[2].tool_calls[0].id': string too long. Expected a maximum length of 40."],
    ["Invalid 'messages[1].name': string too long."],
    ["Invalid 'messages[3].tool_call_id': string too long."],
  ])('does not take a long id or name for a long conversation: %s', (text) => {
    expect(judge({ status: 400, text })).toMatchObject({ fault: 'invalid_request' });
  });

  it.each([
    "Invalid 'messages[0].content': string too long.",
    "Invalid 'messages': array too long.",
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
    'context_length_exceeded',
    'the request exceeds the available context size, try increasing it',
    'The input (9000 tokens) is longer than the context window',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'Please reduce the length of the messages.',
    'too many tokens in request',
  ])('knows a complaint about length: %s', (text) => {
    expect(judge({ status: 400, text })).toMatchObject({
      name: 'RejectedError',
      fault: 'too_long',
    });
  });

  it('takes the wait from the headers, else from the text', () => {
    const text = 'Please try again in 20s.';
    expect((judge({ status: 429, text, waitMs: 5 }) as RateLimitedError).retryAfterMs).toBe(5);
    expect((judge({ status: 429, text }) as RateLimitedError).retryAfterMs).toBe(20_000);
    expect((judge({ status: 429, text: '' }) as RateLimitedError).retryAfterMs).toBeUndefined();
  });

  it.each<[boolean, number | undefined, string]>([
    [true, 429, 'Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM)'],
    [
      true,
      429,
      'RESOURCE_EXHAUSTED; You exceeded your current quota, please check your plan and billing details.',
    ],
    [
      true,
      429,
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
    ],
    [true, undefined, 'rate_limit_exceeded'],
    [
      false,
      429,
      'insufficient_quota; You exceeded your current quota, please check your plan and billing details.',
    ],
    [false, 429, 'Insufficient balance or no resource package.'],
    [false, 429, 'exceeded_current_quota_error; Your account is suspended, please check your plan.'],
    [false, 402, ''],
  ])('holds it %s that a limit may be of one model: %s %s', (isOfModel, status, text) => {
    expect(judge({ status, text })).toMatchObject({ fault: 'rate_limited', isOfModel });
  });

  it.each<[status: number | undefined, retryAfterMs: number | undefined]>([
    [500, 7000],
    [503, 7000],
    [529, 7000],
    [408, undefined],
    [undefined, undefined],
  ])('keeps the wait that was asked for with %s: %s', (status, retryAfterMs) => {
    expect(judge({ status, text: '', waitMs: 7000 })).toMatchObject({
      name: 'UnavailableError',
      retryAfterMs,
    });
  });

  it('never repeats what the upstream said', () => {
    for (const status of [undefined, 302, 400, 401, 402, 404, 413, 429, 500]) {
      expect(judge({ status, text: 'token sk-secret at 10.0.0.7' }).message).not.toMatch(/secret|10\.0/);
    }
  });
});

describe('refusesOrder', () => {
  it.each([
    'System message must be at the beginning.',
    'System message must be first.',
    'System message must be the first message',
    'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
    'messages: roles must alternate between "user" and "assistant"',
    "Unexpected role 'system' after role 'user'",
    'Only the first message can be a system message',
    'System role not supported',
  ])('knows "%s"', (text) => {
    expect(refusesOrder({ status: 500, text: `500 invalid: ${text}` })).toBe(true);
  });

  it.each(['The first message must not be empty.', "Unexpected role 'tool' after role 'user'"])(
    'takes "%s" for something else',
    (text) => {
      expect(refusesOrder({ status: 400, text })).toBe(false);
    },
  );

  it('does not take the words of the request for a complaint, nor those about an account', () => {
    const text = 'no capacity for "why: roles must alternate?"';
    expect(refusesOrder({ status: 503, text, quoted: 'Why: roles must alternate?' })).toBe(false);
    expect(refusesOrder({ status: 429, text })).toBe(false);
  });
});
