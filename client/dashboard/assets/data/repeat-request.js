import { plural } from './format.js';

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
  const messages = content
    ? withoutOrphans(content.messages)
    : [{ role: 'user', content: '(the log keeps no texts)' }];
  return { model, stream, messages: messages.map(toMessage), ...repeatable(parameters, content) };
}

/** What a repeated request leaves out or changes, in words; for an entry with its content. */
export function repeatGaps(entry) {
  const { content } = entry;
  return [
    ...(isPreview(entry) ? ['texts are cut as above'] : []),
    ...(content.omittedMessages > 0 ? [`${plural(content.omittedMessages, 'message')} left out`] : []),
    ...(content.toolNames && !content.texts?.tools ? ['without its tools'] : []),
    ...(isOtherFormat(entry) ? [`as a chat completion instead of ${entry.path}`] : []),
  ];
}

/** Other formats are kept as the chat completion that they come to. */
function isOtherFormat({ path, operation }) {
  return operation === 'completion' && path !== COMPLETIONS;
}

function isPreview({ content }) {
  return content.messages.some(
    ({ chars, toolCalls = [] }) => chars !== undefined || toolCalls.some((call) => call.chars !== undefined),
  );
}

/** Parameters as they were; those of tools only with the tools, without which they would be refused. */
function repeatable({ tool_choice, parallel_tool_calls, ...others } = {}, { texts } = {}) {
  return { ...others, ...(texts?.tools && { tool_choice, parallel_tool_calls }), ...texts };
}

/** Drops tool results whose call was left out of a preview: the gateway would refuse them. */
function withoutOrphans(messages) {
  const calls = new Set();
  return messages.filter(({ toolCalls = [], toolCallId }) => {
    toolCalls.forEach(({ id }) => calls.add(id));
    return toolCallId === undefined || calls.has(toolCallId);
  });
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
