import { readEvents } from '../watch/read-events.js';

/** A conversation with tools, whatever the wire format: a question, then calls with their results. */
export interface ToolConversation {
  readonly question: string;
  readonly tools: readonly ToolShape[];
  readonly calls: readonly CallShape[];
}

export interface ToolShape {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: object;
}

export interface CallShape {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly result: string;
}

/** An endpoint of completions in its wire format, as a caller writes and reads it. */
export interface Endpoint {
  readonly path: string;
  /** The members of a request that hold a conversation; model, limit and the rest are to be added. */
  conversation(of: ToolConversation): object;
  /** The members of a request for JSON of a schema; undefined where the format has only strict ones. */
  jsonSchema(schema: object, strict: boolean): object | undefined;
  /** The members of a request for any JSON object, if the format knows that. */
  readonly jsonObject?: object;
  /** The text of the answer in one JSON body. */
  text(json: string): string;
  /** The text of the answer in a stream. */
  streamedText(stream: string): string;
}

/** Fields with one name in every format, and a limit, which one of them demands. */
const MODEL = { model: 'svc-max-no-thinking', max_tokens: 8000 };

const CHAT: Endpoint = {
  path: '/v1/chat/completions',
  conversation: ({ question, tools, calls }) => ({
    ...MODEL,
    messages: [
      { role: 'user', content: question },
      ...calls.flatMap(({ id, name, input, result }) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
        },
        { role: 'tool', tool_call_id: id, content: result },
      ]),
    ],
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
  }),
  jsonSchema: (schema, strict) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict, schema } },
  }),
  jsonObject: { response_format: { type: 'json_object' } },
  text: (json) => {
    const { choices } = JSON.parse(json) as { choices: { message: { content: string | null } }[] };
    return choices[0]?.message.content ?? '';
  },
  streamedText: (stream) =>
    readEvents(stream.replace('data: [DONE]\n\n', ''))
      .map(({ data }) => data.choices as { delta: { content?: string } }[])
      .map((choices) => choices[0]?.delta.content ?? '')
      .join(''),
};

const MESSAGES: Endpoint = {
  path: '/v1/messages',
  conversation: ({ question, tools, calls }) => ({
    ...MODEL,
    messages: [
      { role: 'user', content: question },
      ...calls.flatMap(({ id, name, input, result }) => [
        { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: result }] }],
        },
      ]),
    ],
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  }),
  jsonSchema: (schema, strict) =>
    strict ? { output_config: { format: { type: 'json_schema', schema } } } : undefined,
  text: (json) => {
    const { content } = JSON.parse(json) as { content: { text?: string }[] };
    return content.map(({ text = '' }) => text).join('');
  },
  streamedText: (stream) =>
    readEvents(stream)
      .map(({ data }) => (data.delta as { text?: string } | undefined)?.text ?? '')
      .join(''),
};

const RESPONSES: Endpoint = {
  path: '/v1/responses',
  conversation: ({ question, tools, calls }) => ({
    model: MODEL.model,
    max_output_tokens: MODEL.max_tokens,
    input: [
      { role: 'user', content: question },
      ...calls.flatMap(({ id, name, input, result }) => [
        { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) },
        { type: 'function_call_output', call_id: id, output: result },
      ]),
    ],
    tools: tools.map((tool) => ({ type: 'function', ...tool })),
  }),
  jsonSchema: (schema, strict) => ({
    text: { format: { type: 'json_schema', name: 'answer', strict, schema } },
  }),
  jsonObject: { text: { format: { type: 'json_object' } } },
  text: (json) => {
    const { output } = JSON.parse(json) as { output: { content?: { text?: string }[] }[] };
    return output.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join('');
  },
  streamedText: (stream) =>
    readEvents(stream)
      .filter(({ event }) => event === 'response.output_text.delta')
      .map(({ data }) => String(data.delta))
      .join(''),
};

/** The gateway's wire formats by their paths, for `describe.each`. */
export const ENDPOINTS = [
  [CHAT.path, CHAT],
  [MESSAGES.path, MESSAGES],
  [RESPONSES.path, RESPONSES],
] as const;
