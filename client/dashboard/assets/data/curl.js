import { plural } from './format.js';

/**
 * A shell command that repeats a request, with `$API_KEY` in place of the key.
 *
 * @param {Record<string, any>} entry of the request log, with its content
 * @param {string} origin e.g. `http://127.0.0.1:26405`
 */
export function toCurl(entry, origin) {
  const { method, model, stream, parameters, content } = entry;
  const path = isOtherFormat(entry) ? COMPLETIONS : entry.path;
  const verb = ['GET', 'POST'].includes(method) ? '' : ` -X ${method}`;
  const call = [`curl -N${verb} ${quoted(origin + path)}`, `-H "Authorization: Bearer $API_KEY"`];
  if (method !== 'POST') {
    return joined(call);
  }
  const messages = content
    ? withoutOrphans(content.messages)
    : [{ role: 'user', content: '(the log keeps no texts)' }];
  const body = JSON.stringify({
    model,
    stream,
    messages: messages.map(toMessage),
    ...repeatable(parameters, content),
  });
  // Through a pipe: Linux limits one argument of a program to 128 KiB, but not those of the shell's built-in `printf`.
  return `printf %s ${quoted(body)} | ${joined([...call, `-H 'Content-Type: application/json'`, '--data-binary @-'])}`;
}

/** What a copied command leaves out or changes; undefined if it repeats the request as it was. */
export function curlNote(entry) {
  const { content } = entry;
  if (!content) {
    return 'As curl: without its texts, which the log does not keep.';
  }
  const gaps = [
    ...(isPreview(entry) ? ['texts are cut as above'] : []),
    ...(content.omittedMessages > 0 ? [`${plural(content.omittedMessages, 'message')} left out`] : []),
    ...(content.toolNames && !content.texts?.tools ? ['without its tools'] : []),
    ...(isOtherFormat(entry) ? [`as a chat completion instead of ${entry.path}`] : []),
  ];
  return gaps.length === 0 ? undefined : `As curl: ${gaps.join(', ')}.`;
}

const COMPLETIONS = '/v1/chat/completions';

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

function joined(parts) {
  return parts.join(' \\\n  ');
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

/** Single-quoted for a POSIX shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
