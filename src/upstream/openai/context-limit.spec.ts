import { describe, expect, it } from '@jest/globals';
import { ContextWindowExceededError } from '../../common/errors/gateway.errors.js';
import { type ContextLimit } from '../upstream.errors.js';
import { readContextLimit } from './context-limit.js';
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
describe('a prompt that is too long', () => {
  it.each<[source: string, status: number, body: string, limit: ContextLimit | undefined]>([
    [
      'OpenAI',
      400,
      openAi(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
        'context_length_exceeded',
      ),
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'OpenAI, by its code alone',
      400,
      openAi('Your request cannot be answered.', 'context_length_exceeded'),
      undefined,
    ],
    [
      'OpenAI, of one text',
      400,
      openAi(
        "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760, but got a string with length 10485800 instead.",
        'string_above_max_length',
      ),
      undefined,
    ],
    [
      'Anthropic',
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
      { maxTokens: 200_000, promptTokens: 210_000 },
    ],
    [
      'Anthropic, with the answer',
      400,
      openAi(
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      ),
      { maxTokens: 200_000, promptTokens: 188_240 },
    ],
    [
      'Gemini',
      400,
      '[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]',
      { maxTokens: 1_048_576, promptTokens: 1_200_000 },
    ],
    [
      'Gemini, without the count',
      400,
      '{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed 1048575.","status":"INVALID_ARGUMENT"}}',
      { maxTokens: 1_048_575 },
    ],
    [
      'TGI and Together, with the answer',
      422,
      openAi(
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8000 `inputs` tokens and 512 `max_new_tokens`',
      ),
      { maxTokens: 8193, promptTokens: 8000 },
    ],
    [
      'TGI (stanford-crfm/helm#1820)',
      422,
      '{"error":"Input validation error: `inputs` must have less than 4096 tokens. Given: 5000","error_type":"validation"}',
      { maxTokens: 4096, promptTokens: 5000 },
    ],
    [
      'SambaNova (cline/cline#294)',
      400,
      openAi(
        'Requested generation length 1 is not possible! The provided prompt is 4309 tokens long, so generating 1 tokens requires a sequence length of 4310, but the maximum supported sequence length is just 4096!',
      ),
      { maxTokens: 4096, promptTokens: 4309 },
    ],
    [
      'Poolside and SambaNova',
      400,
      openAi('Input length 9000 exceeds the maximum allowed input length of 8192 tokens.'),
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'xAI',
      400,
      '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt length is 131072 but the request contains 537812 tokens."}',
      { maxTokens: 131_072, promptTokens: 537_812 },
    ],
    [
      'Groq',
      400,
      openAi('Please reduce the length of the messages or completion.', 'context_length_exceeded'),
      undefined,
    ],
    [
      'Cerebras',
      400,
      '{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}',
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'Mistral',
      400,
      '{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":3051}',
      { maxTokens: 32_768, promptTokens: 40_000 },
    ],
    [
      'OpenRouter',
      400,
      `{"error":{"code":400,"message":"This endpoint's maximum context length is 8192 tokens. However, you requested about 9500 tokens (9000 of text input, 500 in the output). Please reduce the length of either one."}}`,
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'Fireworks',
      400,
      openAi('The prompt is too long: 140000, model maximum context length: 131071'),
      { maxTokens: 131_071, promptTokens: 140_000 },
    ],
    [
      'Kimi',
      400,
      openAi('Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)'),
      { maxTokens: 131_072, promptTokens: 140_000 },
    ],
    ['MiniMax', 400, openAi('invalid params, context window exceeds limit (2013)'), undefined],
    ['GLM', 400, '{"error":{"code":"1261","message":"Prompt exceeds max length"}}', undefined],
    [
      'DashScope',
      400,
      openAi('Range of input length should be [1, 129024]', 'invalid_parameter_error'),
      { maxTokens: 129_024 },
    ],
    ['Bedrock', 400, '{"message":"Input is too long for requested model."}', undefined],
    [
      'GitHub Copilot',
      400,
      openAi('prompt token count of 135355 exceeds the limit of 128000', 'model_max_prompt_tokens_exceeded'),
      { maxTokens: 128_000, promptTokens: 135_355 },
    ],
    [
      'vLLM',
      400,
      '{"object":"error","message":"This model\'s maximum context length is 5000 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","code":400}',
      { maxTokens: 5000 },
    ],
    [
      'vLLM, with the answer',
      400,
      openAi(
        "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens (8000 > 8192 - 1000).",
      ),
      { maxTokens: 8192, promptTokens: 1000 },
    ],
    [
      'vLLM, of a prompt with images',
      400,
      openAi(
        'The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens. For image inputs, the number of image tokens depends on the number of images.',
      ),
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'SGLang',
      400,
      openAi("The input (9000 tokens) is longer than the model's context length (8192 tokens)."),
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'SGLang, with the answer',
      400,
      openAi(
        "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 139000 tokens from the input messages and 1000 tokens for the completion.",
      ),
      { maxTokens: 131_072, promptTokens: 139_000 },
    ],
    [
      'llama.cpp',
      400,
      '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}',
      undefined,
    ],
    ['Ollama', 400, '{"error":"the input length exceeds the context length"}', undefined],
    [
      'LM Studio',
      400,
      '{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}',
      { maxTokens: 4096, promptTokens: 5000 },
    ],
    [
      'LiteLLM, of a provider behind it',
      400,
      openAi(
        "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        '400',
      ),
      { maxTokens: 8192, promptTokens: 9000 },
    ],
    [
      'this gateway',
      400,
      openAi(
        new ContextWindowExceededError('svc-max', 8192, 9000, 'messages').message,
        'context_window_exceeded',
      ),
      { maxTokens: 8192, promptTokens: 9000 },
    ],
  ])('is known by the words of %s', (_source, status, body, contextLimit) => {
    expect(judge(status, body)).toMatchObject({ fault: 'too_long', contextLimit });
  });
});

describe('another limit', () => {
  it.each([
    [
      'max_tokens (OpenAI)',
      openAi(
        'max_tokens is too large: 32000. This model supports at most 4096 completion tokens, whereas you provided 32000.',
      ),
    ],
    [
      'max_tokens (Groq)',
      openAi(
        '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      ),
    ],
    [
      'max_tokens (groq-moa#8)',
      openAi('max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000'),
    ],
    ['max_tokens (DeepInfra)', openAi('max_tokens (5000) exceeds maximum output limit')],
    [
      'stop sequences',
      openAi(
        "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
        'array_above_max_length',
      ),
    ],
    [
      'tools',
      openAi(
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead.",
        'array_above_max_length',
      ),
    ],
    [
      'the description of a tool',
      openAi(
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2000 instead.",
        'string_above_max_length',
      ),
    ],
    [
      'the key of a cache',
      openAi(
        "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
        'string_above_max_length',
      ),
    ],
    ['the address of a picture', openAi("Invalid 'messages[0].content[1].image_url.url': string too long.")],
    [
      'the number of pictures',
      openAi('Too many images in request. This model supports a maximum of 50 input images.'),
    ],
    [
      'the size of a picture',
      openAi('The image in this request is too large. Images must be at most 20 MB.'),
    ],
  ])('is not taken for the length of the prompt: %s', (_what, body) => {
    expect(judge(400, body)).toMatchObject({ name: 'RejectedError', fault: 'invalid_request' });
  });
});

describe('readContextLimit', () => {
  it.each<[text: string, maxTokens: number, promptTokens: number | undefined]>([
    [
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4744 in the messages, 256 in the completion).",
      4096,
      4744,
    ],
    ['request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it', 4096, 5000],
    ['exceeds the maximum context window of 1,048,576', 1_048_576, undefined],
  ])('reads %s', (text, maxTokens, promptTokens) => {
    expect(readContextLimit(text)).toEqual(
      promptTokens === undefined ? { maxTokens } : { maxTokens, promptTokens },
    );
  });

  it.each([
    'too long',
    'context_length_exceeded',
    "This model's maximum context length is exceeded.",
    'maximum context length is 12 tokens',
    'maximum context length is 999999999999 tokens',
  ])('finds none in %s', (text) => {
    expect(readContextLimit(text)).toBeUndefined();
  });

  it('says of a limit that its words stand in the request, in whatever case they are repeated', () => {
    const repeats = (words: string): boolean => 'a maximum context length is 300 tokens'.includes(words);
    const text = "Invalid schema: 'A maximum context length is 300 tokens'.";
    expect(readContextLimit(text)).toEqual({ maxTokens: 300 });
    expect(readContextLimit(text, repeats)).toEqual({ maxTokens: 300, isRepeated: true });
    expect(readContextLimit('Maximum context length is 8192 tokens.', repeats)).toEqual({ maxTokens: 8192 });
  });
});
