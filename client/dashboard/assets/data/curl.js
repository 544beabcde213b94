/**
 * A shell line that repeats a request. The key is never in it: `$API_KEY` stands for it.
 *
 * @param {Record<string, any>} entry of the request log, with its content
 * @param {string} origin e.g. `http://127.0.0.1:26405`
 */
export function toCurl(entry, origin) {
  const { method, path, model, stream, content } = entry;
  const verb = ['GET', 'POST'].includes(method) ? '' : ` -X ${method}`;
  const call = [`curl -N${verb} ${quoted(origin + path)}`, `-H "Authorization: Bearer $API_KEY"`];
  if (method !== 'POST') {
    return joined(call);
  }
  const messages = content
    ? withoutOrphans(content.messages)
    : [{ role: 'user', content: '(the log keeps no texts)' }];
  const body = JSON.stringify({ model, stream, messages: messages.map(toMessage) });
  // Through a pipe: an argument of a program may have 128 KiB, and one of `printf`, which the shell has within it, more.
  return `printf %s ${quoted(body)} | ${joined([...call, `-H 'Content-Type: application/json'`, '--data-binary @-'])}`;
}

/** Results whose calls are among the messages that a preview leaves out would be refused. */
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

/** For a POSIX shell, which takes everything between single quotes as it is. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
