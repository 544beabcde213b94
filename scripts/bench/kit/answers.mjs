/** Answers of the benchmark's upstream, as its load expects them. */

export const CHUNKS = 50;
export const INTERVAL_MS = 20;

/** Pieces of 1 to 12 characters, as a tokenizer would cut them. */
export const PIECES = Array.from({ length: CHUNKS }, (_, index) =>
  ` piece${'x'.repeat(index % 7)}`.slice(0, 1 + (index % 12)),
);
export const TEXT = PIECES.join('');

const head = {
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'bench',
};
const usage = { prompt_tokens: 20, completion_tokens: CHUNKS, total_tokens: 20 + CHUNKS };

export function frame(delta, finish_reason = null) {
  return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;
}

export const FIRST_FRAME = frame({ role: 'assistant', content: '' });
export const FRAMES = PIECES.map((content) => frame({ content }));
export const LAST_FRAMES = `${frame({}, 'stop')}data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;

export const JSON_BODY = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: TEXT }, logprobs: null, finish_reason: 'stop' },
  ],
  usage,
});

/**
 * The last message of a request names the answer that it wants. The first `warmUpTurns` of a gateway are not measured:
 * V8's optimizing compiler is at work until about the 14,000th small request, and those after the 8,000th still cost a
 * quarter to a half more than later ones.
 */
export const SCENARIOS = {
  flat: {
    about: '50 chunks flat out',
    stream: true,
    concurrency: 32,
    requests: 1500,
    warmUpTurns: 3,
    per: CHUNKS,
    unit: 'chunk',
  },
  paced: {
    about: '50 chunks at 20 ms, 100 streams',
    stream: true,
    concurrency: 100,
    requests: 400,
    warmUpTurns: 1,
    per: CHUNKS,
    unit: 'chunk',
  },
  json: {
    about: 'small JSON',
    stream: false,
    concurrency: 32,
    requests: 1500,
    warmUpTurns: 11,
    per: 1,
    unit: 'request',
  },
};
