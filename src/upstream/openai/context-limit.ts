import { type ContextLimit } from '../upstream.errors.js';

const COUNT = String.raw`(\d{1,3}(?:,\d{3})+|\d+)`;

/** Wordings of the context limit; the first that fits counts. */
const LIMITS = [
  `maximum context (?:length|window|size)(?: is| of)?(?: only)? ${COUNT}`, // maximum context length is 8192 tokens
  `context (?:length|window|size)(?: is| of)?(?: only)? \\(?${COUNT}`, // exceeds the available context size (4096 tokens)
  `> ${COUNT} maximum`, // prompt is too long: 210000 tokens > 200000 maximum
  `with ${COUNT} maximum context`, // too large for model with 32768 maximum context length
  `maximum number of tokens allowed \\(${COUNT}\\)`, // exceeds the maximum number of tokens allowed (1048576)
  `must be <= ${COUNT}`, // `inputs` tokens + `max_new_tokens` must be <= 4096
].map(pattern);

/** Wordings of the length of the prompt. */
const PROMPTS = [
  `resulted in ${COUNT} tokens`, // However, your messages resulted in 9000 tokens
  `\\(${COUNT} in the messages`, // you requested 5000 tokens (4744 in the messages, 256 in the completion)
  `has ${COUNT} input tokens`, // your request has 20 input tokens
  `request \\(${COUNT} tokens\\)`, // request (5000 tokens) exceeds the available context size
  `too long: ${COUNT} tokens`,
  `contains ${COUNT} tokens`, // Prompt contains 40000 tokens
  `token count \\(${COUNT}\\)`, // The input token count (1200000) exceeds
  `Given: ${COUNT} `, // Given: 5000 `inputs` tokens
].map(pattern);

/** Numbers below are no windows of models; the words of a prompt may hold any. */
const LEAST_WINDOW = 256;
const MOST_WINDOW = 100_000_000;

/** The limit that an upstream names in its refusal of a prompt; undefined if it names none. */
export function readContextLimit(text: string): ContextLimit | undefined {
  const maxTokens = firstOf(LIMITS, text);
  if (maxTokens === undefined || maxTokens < LEAST_WINDOW || maxTokens > MOST_WINDOW) {
    return undefined;
  }
  const promptTokens = firstOf(PROMPTS, text);
  return promptTokens === undefined ? { maxTokens } : { maxTokens, promptTokens };
}

function firstOf(patterns: readonly RegExp[], text: string): number | undefined {
  const found = patterns.map((one) => one.exec(text)?.[1]).find((count) => count !== undefined);
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'i');
}
