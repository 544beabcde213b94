/** A field of the chat tester that cannot be sent. */
export class FieldError extends Error {
  /** @param {string} field name of the form's field */
  constructor(field, message) {
    super(message);
    this.name = 'FieldError';
    this.field = field;
  }
}

/**
 * Fields of the chat tester, as they are typed.
 *
 * @typedef {{ model: string, system: string, earlier: string, prompt: string, tools: string, parameters: string,
 *   reasoning: string, stream: boolean }} ChatFields `earlier`, `tools`: JSON lists; `parameters`: a JSON object;
 *   `reasoning`: a level, or empty for the model's own
 */

/**
 * Body of the chat completion that the fields ask for. Later fields win over `parameters`.
 *
 * @param {ChatFields} fields
 * @throws {FieldError} for the first field that is not what it should be
 */
export function toChatBody({ model, system, earlier, prompt, tools, parameters, reasoning, stream }) {
  const before = parsed('earlier', earlier, Array.isArray, 'a JSON list of messages') ?? [];
  const offered = parsed('tools', tools, Array.isArray, 'a JSON list of tools');
  const others = parsed('parameters', parameters, isObject, 'a JSON object') ?? {};
  if (prompt === '' && before.length === 0) {
    throw new FieldError('prompt', 'Write something to the model.');
  }
  return {
    ...others,
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...before,
      ...(prompt === '' ? [] : [{ role: 'user', content: prompt }]),
    ],
    ...(offered && { tools: offered.map(toTool) }),
    ...(reasoning !== '' && { reasoning_effort: reasoning }),
    stream,
    // Without it a stream says nothing of its tokens.
    ...(stream && { stream_options: { include_usage: true } }),
  };
}

/**
 * The fields that ask for a body: what has no field of its own is among the parameters.
 *
 * @param {Record<string, any>} body of a chat completion
 * @returns {ChatFields}
 */
export function toChatFields({ model, messages, tools, reasoning_effort: reasoning = '', ...body }) {
  const { stream = true, ...others } = body;
  delete others.stream_options;
  const [first] = messages;
  const system = first?.role === 'system' && typeof first.content === 'string' ? first.content : '';
  const rest = system === '' ? messages : messages.slice(1);
  const last = rest.at(-1);
  const isPrompt = last?.role === 'user' && typeof last.content === 'string';
  const earlier = isPrompt ? rest.slice(0, -1) : rest;
  return {
    model,
    system,
    earlier: earlier.length === 0 ? '' : shown(earlier),
    prompt: isPrompt ? last.content : '',
    tools: tools ? shown(tools) : '',
    parameters: Object.keys(others).length === 0 ? '' : shown(others),
    reasoning,
    stream: stream !== false,
  };
}

/** A bare function definition is taken for a tool. */
function toTool(tool) {
  return isObject(tool) && tool.function === undefined && typeof tool.name === 'string'
    ? { type: 'function', function: tool }
    : tool;
}

function parsed(field, text, isRight, form) {
  if (text.trim() === '') {
    return undefined;
  }
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FieldError(field, `This is not JSON: ${error.message}`);
  }
  if (!isRight(value)) {
    throw new FieldError(field, `This must be ${form}.`);
  }
  return value;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value) {
  return JSON.stringify(value, null, 2);
}
