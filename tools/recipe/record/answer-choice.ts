import { checkPrompt } from '../../../src/upstream/web/capture/prompt-check.js';
import { type WatchedRequest } from '../watched-request.js';
import { type AnswerGuess, guessAnswer } from './answer-guess.js';
import { guessFormat, recordsOf, type StreamFormat } from './stream-guess.js';

/** A request, or a socket, that may have brought an answer. */
export interface AnswerCandidate {
  readonly request: WatchedRequest;
  readonly format: StreamFormat;
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

/** Whether a text went out whole, in a body or in a frame of a socket. */
export function carries({ facts, sentFrames }: WatchedRequest, text: string): boolean {
  const isIn = (body: string): boolean => checkPrompt(body, text) === 'complete';
  return text.trim() !== '' && (isIn(facts.body ?? '') || sentFrames.some(isIn));
}

/** Every request whose response may be an answer. */
export function answerCandidates(
  requests: readonly WatchedRequest[],
  pageText: string,
  prompt: string,
): AnswerCandidate[] {
  return requests.flatMap((request) => {
    const { facts, contentType, text, messages, reads } = request;
    const byMessages = messages.length > 0;
    const messageFormat = facts.type === 'WebSocket' ? 'ndjson' : 'sse';
    const format = byMessages ? messageFormat : guessFormat(contentType, text);
    if (!format) {
      return [];
    }
    const records = byMessages ? messages : recordsOf(format, text);
    const guess = format === 'text' ? plainGuess(text) : guessAnswer(records, pageText, prompt);
    const isStream = byMessages || format === 'sse' || format === 'ndjson' || reads > 1;
    return [{ request, format, isStream, hasPrompt: carries(request, prompt), guess }];
  });
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
  return { answer, promptRequest: answer.hasPrompt ? undefined : carrier };
}

function score({ guess, isStream, hasPrompt }: AnswerChoice['answer']): number {
  return guess.found + (isStream ? 3 : 0) + (hasPrompt ? 2 : 0);
}

function plainGuess(text: string): AnswerGuess {
  return { delivery: 'append', answer: {}, text, reasoning: '', found: 0 };
}
