/** The gateway's endpoints as the benchmark's callers use them. */

const SYSTEM = 'You are a helpful assistant.';

export const ENDPOINTS = {
  chat: {
    path: '/chat/completions',
    body: (model, stream, prompt) => ({
      model,
      stream,
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: prompt },
      ],
    }),
    text: (body) => body.choices?.[0]?.message?.content,
    streamEnd: 'data: [DONE]\n\n',
    piece: /"content":"([^"]*)"/g,
  },
  messages: {
    path: '/messages',
    body: (model, stream, prompt) => ({
      model,
      stream,
      max_tokens: 1000,
      system: SYSTEM,
      messages: [{ role: 'user', content: prompt }],
    }),
    text: (body) => body.content?.[0]?.text,
    streamEnd: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    piece: /"text_delta","text":"([^"]*)"/g,
  },
  responses: {
    path: '/responses',
    body: (model, stream, prompt) => ({
      model,
      stream,
      store: false,
      instructions: SYSTEM,
      input: prompt,
    }),
    text: (body) => body.output?.find(({ type }) => type === 'message')?.content[0]?.text,
    // Of `response.completed`, which holds the whole answer once more.
    streamEnd: '}}\n\n',
    piece: /"type":"response\.output_text\.delta"[^\n]*?"delta":"([^"]*)"/g,
  },
};
