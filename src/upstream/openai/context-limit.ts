import { type ContextLimit } from '../upstream.errors.js';

const COUNT = String.raw`(\d{1,3}(?:,\d{3})+|\d+)`;

/** Wordings of the context limit; the first that fits counts. */
const LIMITS = [
  `maximum context (?:length|window|size)(?: is| of|:)?(?: only)? ${COUNT}`, // maximum context length is 8192 tokens
  `context (?:length|window|size)(?: is| of)?(?: only)? \\(?${COUNT}`, // exceeds the available context size (4096 tokens)
  `> ${COUNT} maximum`, // prompt is too long: 210000 tokens > 200000 maximum
  `context limit: \\d+ \\+ \\d+ > ${COUNT}`, // exceed context limit: 188240 + 21333 > 200000
  `with ${COUNT} maximum context`, // too large for model with 32768 maximum context length
  `maximum number of tokens allowed \\(?${COUNT}`, // exceeds the maximum number of tokens allowed (1048576)
  `maximum (?:prompt|model) length (?:is|of) ${COUNT}`, // This model's maximum prompt length is 131072
  `maximum allowed (?:input )?length(?: of)? ${COUNT}`, // exceeds the maximum allowed input length of 8192 tokens
  `maximum supported sequence length is just ${COUNT}`,
  `input length should be \\[\\d+, ${COUNT}\\]`, // Range of input length should be [1, 129024]
  `token count of \\d+ exceeds the limit of ${COUNT}`,
  `model token limit: ${COUNT}`, // Your request exceeded model token limit: 131072 (requested: 140000)
  `while limit is ${COUNT}`, // Current length is 9000 while limit is 8192
  `must be <= ${COUNT}`, // `inputs` tokens + `max_new_tokens` must be <= 4096
  `must have less than ${COUNT} tokens`, // `inputs` must have less than 4096 tokens
].map(pattern);

/** Wordings of the length of the prompt. */
const PROMPTS = [
  `resulted in ${COUNT} tokens`, // However, your messages resulted in 9000 tokens
  `\\(${COUNT} in the messages`, // you requested 5000 tokens (4744 in the messages, 256 in the completion)
  `\\(${COUNT} of text input`, // you requested about 9500 tokens (9000 of text input, 500 in the output)
  `${COUNT} tokens from the input`, // a total of 9000 tokens: 8000 tokens from the input messages and 1000 …
  `has ${COUNT} input tokens`, // your request has 20 input tokens
  `(?:request|input) \\(${COUNT} tokens\\)`, // request (5000 tokens) exceeds the available context size
  `too long: ${COUNT}\\b`, // prompt is too long: 210000 tokens
  `contains ${COUNT} tokens`, // Prompt contains 40000 tokens
  `token count \\(${COUNT}\\)`, // The input token count (1200000) exceeds
  `token count of ${COUNT} `, // prompt token count of 135355 exceeds the limit of 128000
  `input length \\(?${COUNT}`, // Input length 9000 exceeds the maximum allowed input length of 8192 tokens
  `prompt is ${COUNT} tokens`, // The provided prompt is 4309 tokens long
  `prompt \\(length ${COUNT}\\)`, // The decoder prompt (length 9000) is longer than the maximum model length
  `context limit: ${COUNT} \\+`, // input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000
  `\\(requested: ${COUNT}\\)`, // exceeded model token limit: 131072 (requested: 140000)
  `current length is ${COUNT} `, // Current length is 9000 while limit is 8192
  `keep the first ${COUNT} tokens`, // Trying to keep the first 5000 tokens when context the overflows
  `Given: ${COUNT}\\b`, // Given: 5000 `inputs` tokens
].map(pattern);

/** Wordings of a prompt that is too long, by servers that name no numbers or in others than those above. */
const TOO_LONG = pattern(
  [
    'context.{0,20}(?:length|window|size|limit)', // exceeds the context window
    'maximum.{0,20}(?:prompt|input|sequence|model) (?:length|size|tokens)', // maximum prompt length
    '(?:prompt|input|request|messages?|conversation|content)(?: is| are)? too (?:long|large)', // Prompt is too long
    'input length.{0,20} exceeds', // Input length 9000 exceeds
    'input length should be', // Range of input length should be [1, 129024]
    'token count.{0,30} exceeds', // The input token count exceeds the maximum
    'exceed(?:s|ed) (?:the )?model token limit', // Your request exceeded model token limit
    'prompt exceeds max', // Prompt exceeds max length
    'too many (?:input |prompt )?tokens', // too many tokens
    'reduce the length', // Please reduce the length of the messages.
  ].join('|'),
);
const TOO_LONG_CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded', // OpenAI and many others
  'exceed_context_size_error', // llama.cpp
  'model_max_prompt_tokens_exceeded', // GitHub Copilot
]);

/** Of OpenAI, about the field that it names: Invalid 'stop': array too long. */
const FIELD = /\binvalid '([^']*)'/i;
/** Fields that hold the conversation, but for the names and addresses within it. */
const OF_CONVERSATION = /^(?:messages|input|prompt)(?![\w-])(?!.*\b(?:id|name|tool_call_id|url)$)/;
/** The answer that is asked for is too long: `max_tokens` must be less than or equal to 8192. */
const OF_ANSWER = /max_(?:\w+_)?tokens\W{0,3}(?:\(\d+\) |for \S+ )?(?:is|must|exceeds)\b/i;
/** The image in this request is too large. */
const OF_MEDIA = /\b(?:image|audio|video|file|pdf|document)s?\b[^.;]{0,40}too (?:long|large)/i;

/** Numbers below are no windows of models; the words of a prompt may hold any. */
const LEAST_WINDOW = 256;
const MOST_WINDOW = 100_000_000;

/**
 * Whether a refusal complains of the length of the prompt, which callers mend by leaving parts of the conversation out;
 * not of the length of anything else.
 * @param message without codes and types: beside them its words would read otherwise
 */
export function isTooLong(message: string, codes: readonly string[] = []): boolean {
  if (
    codes.some((code) => TOO_LONG_CODES.has(code)) ||
    readContextLimit(message)?.promptTokens !== undefined
  ) {
    return true;
  }
  const field = FIELD.exec(message)?.[1];
  if (field !== undefined && /too (?:long|large)/i.test(message)) {
    return OF_CONVERSATION.test(field);
  }
  return TOO_LONG.test(message) && !OF_ANSWER.test(message) && !OF_MEDIA.test(message);
}

/**
 * The limit that an upstream names in its refusal of a prompt; undefined if it names none.
 * @param repeats whether words, in small letters, may be the request's own
 */
export function readContextLimit(
  text: string,
  repeats: (words: string) => boolean = () => false,
): ContextLimit | undefined {
  const limit = firstOf(LIMITS, text);
  if (!limit || limit.count < LEAST_WINDOW || limit.count > MOST_WINDOW) {
    return undefined;
  }
  const maxTokens = limit.count;
  const promptTokens = firstOf(PROMPTS, text)?.count;
  return {
    maxTokens,
    ...(promptTokens !== undefined && { promptTokens }),
    ...(repeats(limit.words) && { isRepeated: true }),
  };
}

function firstOf(patterns: readonly RegExp[], text: string): { words: string; count: number } | undefined {
  const found = patterns.map((one) => one.exec(text)).find((match) => match !== null);
  return found && { words: found[0].toLowerCase(), count: Number(found[1]?.replaceAll(',', '')) };
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'i');
}
