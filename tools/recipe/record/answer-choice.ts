import { queryOf } from '../../../src/upstream/web/capture/outgoing-prompt.js';
import { checkPrompt, looksLikeBase64 } from '../../../src/upstream/web/capture/prompt-check.js';
import {
  packetTexts,
  readPacket,
  splitPayload,
} from '../../../src/upstream/web/capture/reading/engine-io.js';
import { type WatchedRequest } from '../watched-request.js';
import { type AnswerGuess, foundOn, guessAnswer } from './answer-guess.js';
import { guessFormat, recordsOf, type StreamFormat, type StreamRecord } from './stream-guess.js';
import { parseRecord } from './text-fields.js';

/** A request, or a socket, that may have brought an answer. */
export interface AnswerCandidate {
  readonly request: WatchedRequest;
  readonly format: StreamFormat;
  /** Whether it is a connection of socket.io. */
  readonly isSocketIo: boolean;
  /** Whether the answer came piece by piece. */
  readonly isStream: boolean;
  /** Whether the prompt went out with it. */
  readonly hasPrompt: boolean;
  readonly guess: AnswerGuess | undefined;
}

export interface AnswerChoice {
  readonly answer: AnswerCandidate & { readonly guess: AnswerGuess };
  /** The request that carried the prompt, where that is another one. */
  readonly promptRequest: WatchedRequest | undefined;
}

/** What the last of several events is called, or says, and its usual length at most. */
const END = /done|end|stop|complete|finish|close/i;
const MAX_END_LENGTH = 20;
/** Every address of engine.io names its version. */
const ENGINE_IO = /[?&]EIO=\d/;

/** Whether a text went out whole, in a body, in a query or in a frame of a socket. */
export function carries({ facts, sentFrames }: WatchedRequest, text: string): boolean {
  const isIn = (body: string): boolean =>
    [body, ...packetTexts(body)].some((part) => checkPrompt(part, text) === 'complete');
  return text.trim() !== '' && (isIn(facts.body ?? queryOf(facts.url)) || sentFrames.some(isIn));
}

/** Whether the method `request` can put a prompt in the place of this one: in a text, sent by the page itself. */
export function isFillable({ facts, sentFrames }: WatchedRequest, prompt: string): boolean {
  const texts = facts.isWorker ? [facts.body ?? ''] : [facts.body ?? '', ...sentFrames];
  // Connect, gRPC-web, protobuf and msgpack begin with bytes.
  const isText = (text: string): boolean => text >= ' ' && !text.includes('\ufffd') && !looksLikeBase64(text);
  return texts.some((text) => isText(text) && checkPrompt(text, prompt) === 'complete');
}

/** Every request whose response may be an answer. */
export function answerCandidates(
  requests: readonly WatchedRequest[],
  pageText: string,
  prompt: string,
): AnswerCandidate[] {
  return requests.flatMap((request) => {
    const { facts, contentType, text, messages, reads } = request;
    const isSocketIo = ENGINE_IO.test(facts.url);
    const byMessages = messages.length > 0;
    const messageFormat = facts.type === 'WebSocket' ? 'ndjson' : 'sse';
    const format = isSocketIo ? 'json' : byMessages ? messageFormat : guessFormat(contentType, text);
    if (!format) {
      return [];
    }
    const records = isSocketIo ? packetRecords(request) : byMessages ? messages : recordsOf(format, text);
    const isStream = byMessages || isSocketIo || format === 'sse' || format === 'ndjson' || reads > 1;
    const candidate = { request, isSocketIo, isStream, hasPrompt: carries(request, prompt) };
    if (format === 'sse' && records.length > 0 && !records.some(({ data }) => parseRecord(data))) {
      const isText = !records.some(({ data }) => looksLikeBase64(data));
      return [
        { ...candidate, format: 'sse-text', guess: isText ? wordsGuess(records, pageText) : undefined },
      ];
    }
    const guess = format === 'text' ? plainGuess(text, pageText) : guessAnswer(records, pageText, prompt);
    return [{ ...candidate, format, guess }];
  });
}

/** The events of socket.io in the frames of a socket, or in the body of a poll. */
function packetRecords({ messages, text }: WatchedRequest): StreamRecord[] {
  const records: StreamRecord[] = [];
  for (const packet of messages.length > 0 ? messages.map(({ data }) => data) : splitPayload(text)) {
    readPacket(packet, (data, event = 'message') => records.push({ data, event }));
  }
  return records;
}

/** The candidate with the most text on the page, among those sent with or after the prompt. */
export function chooseAnswer(
  candidates: readonly AnswerCandidate[],
  requests: readonly WatchedRequest[],
  prompt: string,
): AnswerChoice | undefined {
  const carrier = requests.find((request) => carries(request, prompt));
  const sentAt = carrier ? requests.indexOf(carrier) : -1;
  const answers = candidates
    .filter(({ request, isStream, hasPrompt }) => {
      // Sockets and event sources may be open long before the prompt.
      const isLasting = /^(?:WebSocket|EventSource)$/.test(request.facts.type);
      return hasPrompt || (isStream && (isLasting || requests.indexOf(request) > sentAt));
    })
    .filter((candidate): candidate is AnswerChoice['answer'] => candidate.guess !== undefined)
    .sort((a, b) => score(b) - score(a));
  const answer = answers[0];
  if (!answer) {
    return undefined;
  }
  // A prompt may leave by a poll, and its answer come by the socket that takes over.
  const isOneConnection = answer.isSocketIo && carrier !== undefined && ENGINE_IO.test(carrier.facts.url);
  return { answer, promptRequest: answer.hasPrompt || isOneConnection ? undefined : carrier };
}

function score({ guess, isStream, hasPrompt }: AnswerChoice['answer']): number {
  return guess.found + (isStream ? 3 : 0) + (hasPrompt ? 2 : 0);
}

/** Of events whose data is the text itself; the last one may say no more than that it is the end. */
function wordsGuess(records: readonly StreamRecord[], pageText: string): AnswerGuess {
  const last = records.at(-1);
  const end =
    last && END.test(`${last.event} ${last.data}`) && last.data.length < MAX_END_LENGTH ? last : undefined;
  const done = end && (end.event === 'message' ? { data: end.data } : { event: end.event });
  const words = records.filter((record) => record !== end && record.event === 'message');
  return {
    ...plainGuess(words.map(({ data }) => data).join(''), pageText),
    answer: { content: [{ path: '$', event: 'message' }], ...(done && { done: [done] }) },
  };
}

function plainGuess(text: string, pageText: string): AnswerGuess {
  return {
    delivery: 'append',
    answer: {},
    text,
    reasoning: '',
    found: foundOn(pageText, text),
    isMarkup: false,
  };
}
