import { jsonAnswer } from './sandbox-json.js';
import { lastToolResponse, lastUserMessage } from './sandbox-prompt.js';
import { type Script } from './sandbox-script.js';
import { scriptedCall, toolAnswer } from './sandbox-tool-answer.js';

/** A piece of an answer, streamed as one event. */
export interface Piece {
  readonly type: 'reasoning' | 'text';
  readonly text: string;
}

/** A prompt with the choices made on the chat page. */
export interface Question {
  readonly prompt: string;
  readonly model: string;
  readonly thinking: boolean;
}

/** Interval between two pieces unless the script sets a pace. */
export const DEFAULT_INTERVAL_MS = 10;

const QUOTED_CHARACTERS = 120;
/** Longer texts are cut into this many equal pieces, so that no answer takes minutes. */
const MAX_WORD_PIECES = 400;
const BIG_PIECE_BYTES = 8192;

/** Pieces of the answer in order. Lazy, so that a big answer is never held in memory as a whole. */
export function* composeAnswer(script: Script, question: Question): Generator<Piece> {
  if (question.thinking || script.thinkTags) {
    yield* reasoningPieces(script, question);
  }
  if (script.bigBytes !== undefined) {
    yield* fillerPieces(script.bigBytes);
    return;
  }
  const literal = literalText(script, question);
  if (literal === undefined && script.pace) {
    yield* numberedPieces(script.pace.count);
    return;
  }
  const text = literal ?? unscripted(question);
  for (const piece of script.pace ? slices(text, script.pace.count) : words(text)) {
    yield { type: 'text', text: piece };
  }
}

/** Text that the script prescribes: its tool calls, one message after the other, then `say` or `echo`. */
function literalText(script: Script, { prompt }: Question): string | undefined {
  const call = script.calls && scriptedCall(prompt, script.calls);
  return call ?? script.say ?? (script.echo ? echoed(prompt) : undefined);
}

function unscripted(question: Question): string {
  const json = jsonAnswer(question.prompt);
  return toolAnswer(question.prompt, json) ?? json ?? defaultAnswer(question);
}

/**
 * Answer to a prompt without markers, tools and a demand for JSON. Those that it names are malformed: clients that do not
 * find in an answer what they want quote it in their next message, where a marker would take effect.
 */
function defaultAnswer({ prompt, model }: Question): string {
  const message = lastUserMessage(prompt).trim();
  const size = message.length.toLocaleString('en-US');
  return (
    `This answer comes from the built-in sandbox, not from a language model (${model} is only a name here). ` +
    `Your message of ${size} characters begins: “${opening(message)}”\n\n` +
    'Point the gateway at a provider of your own for real answers. ' +
    'To see how limits, slow answers and faults look, put a marker of docs/sandbox.md such as ' +
    '`[[chunks:…]]` or `[[status:…]]` into your message.'
  );
}

function defaultReasoning({ prompt }: Question): string {
  const size = lastUserMessage(prompt).trim().length.toLocaleString('en-US');
  return (
    `The sandbox does not think; this shows where a model's reasoning would stand. ` +
    `The last message has ${size} characters. I will quote its beginning and say where it came from.`
  );
}

/** The beginning of a message on one line. */
function opening(message: string): string {
  const line = message.slice(0, QUOTED_CHARACTERS * 4).replace(/\s+/g, ' ');
  return line.length <= QUOTED_CHARACTERS ? line : `${wellFormedSlice(line, 0, QUOTED_CHARACTERS)}…`;
}

function echoed(prompt: string): string {
  return lastToolResponse(prompt) ?? prompt;
}

function* reasoningPieces(script: Script, question: Question): Generator<Piece> {
  const type = script.thinkTags ? 'text' : 'reasoning';
  const pieces = words(script.think ?? defaultReasoning(question));
  for (const text of script.thinkTags ? ['<think>', ...pieces, '</think>\n\n'] : pieces) {
    yield { type, text };
  }
}

function* numberedPieces(count: number): Generator<Piece> {
  for (let number = 1; number <= count; number++) {
    yield { type: 'text', text: `chunk ${number}${number === count ? '' : ' '}` };
  }
}

function* fillerPieces(bytes: number): Generator<Piece> {
  const line = 'The sandbox fills this line to make a long answer.\n';
  const full = line.repeat(Math.ceil(BIG_PIECE_BYTES / line.length)).slice(0, BIG_PIECE_BYTES);
  for (let left = bytes; left > 0; left -= BIG_PIECE_BYTES) {
    yield { type: 'text', text: left >= BIG_PIECE_BYTES ? full : full.slice(0, left) };
  }
}

function words(text: string): string[] {
  const found = text.length <= MAX_WORD_PIECES * 20 ? (text.match(/\s*\S+|\s+$/g) ?? []) : [];
  return found.length > 0 && found.length <= MAX_WORD_PIECES ? found : slices(text, MAX_WORD_PIECES);
}

/** Cuts a text into at most `count` pieces of about the same length, never inside a surrogate pair. */
export function slices(text: string, count: number): string[] {
  const pieces: string[] = [];
  const total = Math.min(count, text.length);
  for (let index = 0; index < total; index++) {
    const piece = wellFormedSlice(
      text,
      Math.round((index * text.length) / total),
      Math.round(((index + 1) * text.length) / total),
    );
    if (piece !== '') {
      pieces.push(piece);
    }
  }
  return pieces;
}

/** Like `slice`, with both ends moved forward past the middle of a surrogate pair. */
function wellFormedSlice(text: string, start: number, end: number): string {
  return text.slice(pairSafe(text, start), pairSafe(text, end));
}

function pairSafe(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at + 1 : at;
}
