import { z } from 'zod';
import { css, path, scalar, text, urlPattern, when } from './recipe-values.js';

const piece = z.strictObject({
  path,
  when: when.optional(),
  event: text.optional().describe('Name of the server-sent event; unset takes every name.'),
});

const done = z
  .strictObject({
    data: text.optional().describe('The whole record, e.g. [DONE].'),
    when: when.optional(),
    event: text.optional(),
  })
  .refine((rule) => Object.values(rule).some((part) => part !== undefined), { message: 'needs a condition' });

const answer = z.strictObject({
  content: z.array(piece).default([]),
  reasoning: z.array(piece).default([]),
  usage: z
    .strictObject({
      promptTokens: path,
      completionTokens: path,
      reasoningTokens: path.optional(),
      cachedTokens: path.optional(),
      when: when.optional(),
    })
    .optional(),
  done: z
    .array(done)
    .default([])
    .describe('How a complete answer ends; without any, the end of the response is the end of the answer.'),
  finishReason: z
    .strictObject({ path, length: z.array(scalar).min(1) })
    .optional()
    .describe('Where the reason stands, and its values for an answer cut by its length limit.'),
  error: z.array(z.strictObject({ when: when.optional(), event: text.optional() })).default([]),
  conversation: z
    .strictObject({ requestPath: path, path })
    .optional()
    .describe(
      'Records whose id at `path` is not that at `requestPath` of the outgoing body belong to other answers.',
    ),
  sequence: path
    .optional()
    .describe('A number that grows with every record; a record that repeats one is ignored.'),
});

const requestMatch = z.strictObject({
  url: urlPattern,
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
});

/** What both ways of reading the network have in common. */
const networkRules = {
  request: requestMatch.describe('The request that is answered.'),
  promptRequest: requestMatch
    .optional()
    .describe('The request that carries the prompt, where that is another one.'),
  format: z.enum(['sse', 'ndjson', 'json', 'text']),
  delivery: z
    .enum(['append', 'snapshot'])
    .default('append')
    .describe('Whether records add to the text or hold all of it.'),
  contentType: text.optional().describe('Content type of an accepted answer; default: that of the format.'),
  answer,
};

export const capture = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('replay').describe('The page composes the request, the driver sends it. Fastest.'),
    ...networkRules,
    credentials: z.enum(['include', 'same-origin', 'omit']).default('include'),
  }),
  z.strictObject({
    mode: z.literal('observe').describe('The page sends and reads; the driver watches the network.'),
    ...networkRules,
    transport: z
      .enum(['http', 'eventsource', 'websocket'])
      .default('http')
      .describe('With websocket, each text frame is one record, and `request.url` that of the socket.'),
  }),
  z.strictObject({
    mode: z.literal('dom').describe('Reads the text off the page. Lossy: markup is gone; tools are refused.'),
    answer: css.describe('The answer (CSS only); the last match counts.'),
    reasoning: css.optional().describe('Its reasoning (CSS only), if that is shown apart.'),
    busy: css.describe('There exactly while the site answers, e.g. its stop button (CSS only).'),
  }),
]);

export type CaptureRules = z.output<typeof capture>;
export type ReplayRules = Extract<CaptureRules, { mode: 'replay' }>;
export type ObserveRules = Extract<CaptureRules, { mode: 'observe' }>;
export type DomRules = Extract<CaptureRules, { mode: 'dom' }>;
export type NetworkRules = ReplayRules | ObserveRules;
export type RequestMatch = z.output<typeof requestMatch>;
export type AnswerRules = z.output<typeof answer>;
