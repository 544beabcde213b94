import { count, plural } from './format.js';

const COMPLETIONS = '/v1/chat/completions';

/** Path at which a logged request is repeated. */
export function repeatPath(entry) {
  return isOtherFormat(entry) ? COMPLETIONS : entry.path;
}

/**
 * Body that repeats a logged request, as far as the log keeps it.
 *
 * @param {Record<string, any>} entry of the request log, with its content
 */
export function repeatBody({ model, stream, parameters, content }) {
  const { messages } = content ?? { messages: [{ role: 'user', content: '(the log keeps no texts)' }] };
  return { model, stream, messages: messages.map(toMessage), ...repeatable(parameters, content) };
}

/** Gaps and changes of a repeated request, in words, beside the texts themselves; for an entry with its texts. */
export function repeatGaps(entry) {
  return [...(cutTexts(entry).length > 0 ? ['texts are cut as above'] : []), ...missingParts(entry)];
}

/** The same where the texts are not at hand: with the lengths of those that are cut. */
export function repeatLosses(entry) {
  return [...missingParts(entry), ...cutTexts(entry)];
}

/** How much is kept of what a refused request brought; undefined if it is all. */
export function sentPart({ text, isCut, bytes }) {
  if (!isCut) {
    return undefined;
  }
  return `first ${count(text.length)} characters${bytes === undefined ? '' : ` of ${plural(bytes, 'byte')}`}`;
}

function missingParts(entry) {
  const { content, sent } = entry;
  if (sent) {
    return [];
  }
  const media = mediaOf(content);
  return [
    ...(content.omittedMessages > 0 ? [`${plural(content.omittedMessages, 'message')} left out`] : []),
    ...(content.toolNames && !content.texts?.tools ? ['without its tools'] : []),
    ...(media.length > 0 ? [`without its ${media.join(' and ')}`] : []),
    ...(isOtherFormat(entry) ? [`as a chat completion instead of ${entry.path}`] : []),
  ];
}

/** Kinds of what the messages showed: their texts name it, but it is not kept. */
function mediaOf({ messages }) {
  return [...new Set(messages.flatMap(({ media = [] }) => media))];
}

function cutTexts({ content, sent }) {
  if (sent) {
    return [sentPart(sent)].filter(Boolean);
  }
  return content.messages.flatMap(({ content: text, chars, toolCalls = [] }, at) => [
    ...(chars === undefined ? [] : [`message ${at + 1}: ${firstOf(text, chars)}`]),
    ...toolCalls
      .filter((call) => call.chars !== undefined)
      .map((call) => `arguments of a call in message ${at + 1}: ${firstOf(call.arguments, call.chars)}`),
  ]);
}

function firstOf(text, chars) {
  return `first ${count(text.length)} of ${count(chars)} characters`;
}

/** Other formats are kept as the chat completion that they come to, unless they were refused. */
function isOtherFormat({ path, operation, sent }) {
  return sent === undefined && operation === 'completion' && path !== COMPLETIONS;
}

/** Parameters as they were; those of tools only with the tools, without which they would be refused. */
function repeatable({ tool_choice, parallel_tool_calls, ...others } = {}, { texts } = {}) {
  return { ...others, ...(texts?.tools && { tool_choice, parallel_tool_calls }), ...texts };
}

function toMessage({ role, content, toolCalls, toolCallId }) {
  return {
    role,
    content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: json }) => ({
        id,
        type: 'function',
        function: { name, arguments: json },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  };
}
