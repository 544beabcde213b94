import { describe, expect, it } from '@jest/globals';
import { errorWithin } from '../../../test/support/upstream/error-within.js';
import { SseAnswer } from './answer-body.js';
import { readErrorBody } from './error-body.js';
import { toUpstreamError } from './upstream-failure.js';

/** What an upstream's answer with an error status comes to. */
function judge(status: number, body: string): Error {
  return toUpstreamError({ status, ...readErrorBody(body) });
}

/** A body in the format of OpenAI. */
const openAi = (message: string, code: string | null = null, type = 'invalid_request_error'): string =>
  JSON.stringify({ error: { message, type, param: null, code } });

/** As providers and servers word it; where they are not those of its documentation, with the place that quotes them. */
describe('an account without credit', () => {
  it.each<[source: string, status: number, body: string]>([
    [
      'Anthropic (anthropics/claude-code#66314)',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."},"request_id":"req_1"}',
    ],
    [
      'Anthropic, by the limit of its owner',
      400,
      openAi(
        'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
      ),
    ],
    [
      'Anthropic behind OpenRouter',
      400,
      JSON.stringify({
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: openAi('Your credit balance is too low to access the Anthropic API.') },
        },
      }),
    ],
    [
      'LiteLLM',
      400,
      openAi('Budget has been exceeded! Current cost: 1.2, Max budget: 1.0', '400', 'budget_exceeded'),
    ],
    [
      'LiteLLM (BerriAI/litellm#4208)',
      400,
      openAi('Budget has been exceeded! Current cost: 0.0010747, Max budget: 0.0', '400', 'auth_error'),
    ],
    [
      'LiteLLM behind LiteLLM (BerriAI/litellm#14144)',
      400,
      openAi(
        'litellm.BadRequestError: OpenAIException - Budget has been exceeded! Current cost: 14.3, Max budget: 100. Received Model Group=meta.llama3-8b-instruct-v1:0',
        '400',
      ),
    ],
    [
      'DashScope (hsliuping/TradingAgents-CN#170)',
      400,
      openAi('Access denied, please make sure your account is in good standing.', 'Arrearage', 'Arrearage'),
    ],
    [
      'OpenAI (dfinke/PowerShellAI#127)',
      400,
      openAi('Billing hard limit has been reached', 'billing_hard_limit_reached'),
    ],
    ['OpenAI', 403, openAi('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota')],
    ['OpenRouter', 403, '{"error":{"message":"Key limit exceeded (total limit).","code":403}}'],
  ])('rests, as one that is told 402: %s', (_source, status, body) => {
    expect(judge(status, body)).toMatchObject({ name: 'RateLimitedError', fault: 'rate_limited' });
  });

  it.each([
    "Invalid value: 'Your credit balance is too low to access the Anthropic API'.",
    'Unknown tool: Budget has been exceeded!',
    'billing_hard_limit_reached is no tool',
    'Unexpected text Billing hard limit has been reached',
    '{"object":"error","message":"[{\'input\': \'Your credit balance is too low\'',
  ])('is not told by the words of a prompt: %s', (message) => {
    expect(judge(400, openAi(message))).toMatchObject({ fault: 'invalid_request' });
    expect(judge(400, message)).toMatchObject({ fault: 'invalid_request' });
  });
});

describe('a key that is refused', () => {
  it.each<[source: string, status: number, body: string]>([
    ['OpenAI', 401, openAi('Incorrect API key provided: sk-1.', 'invalid_api_key')],
    [
      'Anthropic',
      401,
      '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    ],
    [
      'DeepSeek',
      401,
      openAi(
        'Authentication Fails, Your api key: ****1234 is invalid',
        'invalid_request_error',
        'authentication_error',
      ),
    ],
    [
      'LiteLLM',
      401,
      openAi(
        'Authentication Error, Invalid proxy server token passed. Received API Key = sk-...1234, Key Hash (Token) =1. Unable to find token in cache or `LiteLLM_VerificationTokenTable`',
        '401',
        'token_not_found_in_db',
      ),
    ],
    [
      'LiteLLM, of a key that has expired',
      401,
      openAi('Authentication Error - Expired Key. Key Expiry time 2026-01-01', '401', 'expired_key'),
    ],
    [
      'LiteLLM, of the key behind it',
      401,
      openAi(
        'litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided: sk-abc.',
        '401',
      ),
    ],
    ['Groq', 401, openAi('Invalid API Key', 'invalid_api_key')],
    ['Kimi', 401, openAi('Invalid Authentication', null, 'invalid_authentication_error')],
    ['Cerebras', 401, openAi('Wrong API Key', 'wrong_api_key')],
    [
      'Azure',
      401,
      '{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription."}}',
    ],
    ['vLLM', 401, '{"error":"Unauthorized"}'],
    [
      'Gemini',
      400,
      '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
    ],
    [
      'xAI',
      400,
      '{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***"}',
    ],
  ])('waits for the operator: %s', (_source, status, body) => {
    expect(judge(status, body)).toMatchObject({ fault: 'invalid_credentials' });
  });

  it.each<[source: string, status: number, body: string]>([
    [
      'its database is gone (LiteLLM)',
      401,
      openAi('Authentication Error, All connection attempts failed', '401', 'auth_error'),
    ],
    [
      'its database is out of reach (LiteLLM)',
      401,
      openAi("Authentication Error, Can't reach database server at `db`:`5432`", '401', 'auth_error'),
    ],
    [
      'it knows no database (BerriAI/litellm#4880)',
      401,
      openAi('Authentication Error, No connected db.', '401', 'auth_error'),
    ],
    [
      'it knows no database, with 400 (LiteLLM)',
      400,
      openAi('Authentication Error, No connected db.', '400', 'auth_error'),
    ],
    [
      'it failed to authenticate (Anthropic)',
      401,
      '{"type":"error","error":{"type":"authentication_error","message":"Authentication failed"}}',
    ],
  ])('comes back by itself where %s', (_source, status, body) => {
    expect(judge(status, body)).toMatchObject({ name: 'LoginRequiredError', fault: 'login_wall' });
  });
});

/** ggml-org/llama.cpp#16109: until September 2025 an error was a field of its own, and the stream was ended as a whole one. */
describe('an error line of llama.cpp', () => {
  const piece = 'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n';

  it.each([
    ['500 within an answer', piece, '"code":500,"message":"x","type":"server_error"', 'upstream_status_500'],
    [
      '400 in place of an answer',
      '',
      '"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"',
      'too_long',
    ],
  ])('is no end of an answer: %s', (_what, before, fields, fault) => {
    const answer = new SseAnswer(errorWithin);
    answer.push(before);
    expect(() => answer.push(`error: {${fields}}\n\ndata: [DONE]\n\n`)).toThrow(
      expect.objectContaining({ fault }),
    );
  });
});
