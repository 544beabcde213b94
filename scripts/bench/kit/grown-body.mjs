/** Requests that are larger than the benchmark's own in one respect. */

const WORDS =
  'the gateway keeps what a caller sends and tells what it has read of it in the order of arrival'.split(' ');

/**
 * Makes a request of chat completions grow; its last message, which names the answer, stays the last.
 *
 * @param body as of `ENDPOINTS.chat`
 * @param growth `{ messages, tools, bytes }`: how many messages and tools it has, and about how large its text is, each
 *   left as it is if undefined
 */
export function grownBody(body, { messages, tools, bytes }) {
  if (messages === undefined && tools === undefined && bytes === undefined) {
    return body;
  }
  const [system, question] = body.messages;
  const history = Array.from({ length: Math.max(0, (messages ?? 2) - 2) }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: textOf(80, index),
  }));
  const content = bytes === undefined ? system.content : textOf(bytes, 0);
  return {
    ...body,
    messages: [{ ...system, content }, ...history, question],
    ...(tools && { tools: Array.from({ length: tools }, (_, index) => toolOf(index)) }),
  };
}

/** About so many characters of words, which begin elsewhere for each seed. */
function textOf(length, seed) {
  const words = [];
  let written = 0;
  for (let index = seed; written < length; index++) {
    const word = WORDS[(index * 7 + (index >> 4)) % WORDS.length];
    words.push(word);
    written += word.length + 1;
  }
  return words.join(' ');
}

function toolOf(index) {
  return {
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: textOf(200, index),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: textOf(60, index) },
          limit: { type: 'integer', minimum: 1 },
          mode: { type: 'string', enum: ['read', 'write'] },
        },
        required: ['path'],
      },
    },
  };
}
