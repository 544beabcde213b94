import { z } from 'zod';
import { css, path, scalar, text, urlPattern, watchedSelector, when } from './recipe-values.js';

const eventName = text
  .optional()
  .describe(
    'Name of the server-sent event or socket.io event, or the prefix of the record; unset takes all.',
  );

const delivery = z.enum(['append', 'snapshot']);

const piece = z.strictObject({
  path,
  when: when.optional(),
  event: eventName,
  each: path
    .optional()
    .describe('A list in the record, e.g. of operations: the rule is then applied to each of its elements.'),
  delivery: delivery
    .optional()
    .describe(
      'append: adds to the text; snapshot: replaces it. For sites that do both; default: that of capture.',
    ),
});

const bind = z
  .strictObject({
    name: text.describe('What conditions call it: `sameAs`.'),
    path: path.optional().describe('The id; without it, the state is of all records that follow.'),
    value: path.optional().describe('The state that is bound with the id; the latest counts.'),
    when: when.optional(),
    event: eventName,
  })
  .refine((rule) => rule.path !== undefined || rule.value !== undefined, { message: 'needs path or value' });

const done = z
  .strictObject({
    data: text.optional().describe('The whole record, e.g. [DONE].'),
    when: when.optional(),
    event: eventName,
  })
  .refine((rule) => Object.values(rule).some((part) => part !== undefined), { message: 'needs a condition' });

const conversation = z
  .strictObject({
    path: path.optional().describe('The id in a record; without it, the URL of `request` must hold it.'),
    requestPath: path.optional().describe('The id in the outgoing body with the prompt.'),
    responsePath: path.optional().describe('The id in the answer to promptRequest.'),
    pageUrl: urlPattern.optional().describe('Address of the page: the first * stands for the id.'),
  })
  .refine(
    ({ requestPath, responsePath, pageUrl }) =>
      [requestPath, responsePath, pageUrl].filter((place) => place !== undefined).length === 1,
    { message: 'needs one of requestPath, responsePath, pageUrl' },
  )
  .describe('Tells the answer from those of other conversations: records with another id are dropped.');

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
  error: z.array(z.strictObject({ when: when.optional(), event: eventName })).default([]),
  bind: z.array(bind).default([]).describe('What later records refer to by `sameAs`.'),
  conversation: conversation.optional(),
  sequence: path
    .optional()
    .describe('A number that grows with every record; a record that repeats one is ignored.'),
});

const requestMatch = z.strictObject({
  url: urlPattern,
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
  when: when.optional().describe('Conditions on its body (JSON), where the URL alone does not tell it.'),
});

/** Rules common to both ways of reading the network. */
const networkRules = {
  request: requestMatch.describe('The request that is answered.'),
  promptRequest: requestMatch
    .optional()
    .describe('The request that carries the prompt, where that is another one.'),
  format: z
    .enum(['sse', 'sse-text', 'ndjson', 'json', 'objects', 'text'])
    .describe(
      'sse-text: the data of an event is the text itself instead of JSON. objects: JSON objects, whatever stands ' +
        'between them, as in SignalR, STOMP, Connect and multipart.',
    ),
  prefix: z
    .union([text, z.array(text).min(1)])
    .optional()
    .describe(
      'What records begin with, or one of several, e.g. 0: or data. It is cut off and becomes the name of the ' +
        'event; records that begin otherwise are skipped.',
    ),
  delivery: delivery.default('append').describe('Whether records add to the text or hold all of it.'),
  contentType: text.optional().describe('Content type of an accepted answer; default: that of the format.'),
  answer,
};

export const capture = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('replay').describe('The page composes the request, the driver sends it. Fastest.'),
    ...networkRules,
    credentials: z
      .enum(['include', 'same-origin', 'omit'])
      .default('include')
      .describe('As of `fetch`: whether the request that the driver sends carries cookies.'),
  }),
  z.strictObject({
    mode: z.literal('observe').describe('The page sends and reads; the driver watches the network.'),
    ...networkRules,
    transport: z
      .enum(['http', 'eventsource', 'websocket', 'socketio', 'polling'])
      .default('http')
      .describe(
        'websocket: each text frame is one record, or with `objects` each object in it, and `request.url` that of ' +
          'the socket. socketio: each event is one, over sockets and long polling. polling: each response to ' +
          '`request` is a part of the answer.',
      ),
  }),
  z.strictObject({
    mode: z.literal('dom').describe('Reads the text off the page. Lossy: markup is gone; tools are refused.'),
    answer: watchedSelector.describe('The answer (CSS and >>> only); the last match counts.'),
    reasoning: watchedSelector
      .optional()
      .describe('Its reasoning (CSS and >>> only), if that is shown apart.'),
    exclude: z.array(css).default([]).describe('Elements within them that are not read (CSS only).'),
    format: z
      .enum(['text', 'markdown'])
      .default('text')
      .describe('markdown: fences, tables, lists and the like are rebuilt from standard elements.'),
    stream: z
      .boolean()
      .default(true)
      .describe(
        'false: the answer is passed on once it is complete, for pages that paint parts of it anew, e.g. its code.',
      ),
    busy: watchedSelector.describe(
      'There exactly while the site answers, e.g. its stop button (CSS and >>> only).',
    ),
  }),
]);

export type CaptureRules = z.output<typeof capture>;
export type ReplayRules = Extract<CaptureRules, { mode: 'replay' }>;
export type ObserveRules = Extract<CaptureRules, { mode: 'observe' }>;
export type DomRules = Extract<CaptureRules, { mode: 'dom' }>;
export type NetworkRules = ReplayRules | ObserveRules;
export type RequestMatch = z.output<typeof requestMatch>;
export type BindRule = z.output<typeof bind>;
export type PieceRule = z.output<typeof piece>;
export type ConversationRules = z.output<typeof conversation>;
export type AnswerRules = z.output<typeof answer>;

/** Transports whose connections outlive an answer, so that only a rule can tell its end. */
const LASTING: ReadonlySet<ObserveRules['transport']> = new Set(['websocket', 'socketio', 'polling']);

export function isLasting(rules: NetworkRules): boolean {
  return rules.mode === 'observe' && LASTING.has(rules.transport);
}
