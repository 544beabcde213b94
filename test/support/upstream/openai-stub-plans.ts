import { gzipSync } from 'node:zlib';
import { type StubPlan, type StubReply } from './openai-stub.js';

export interface AnswerOptions {
  /** The text, piece by piece, or how many pieces `0 1 2 …` to make. */
  readonly pieces?: readonly string[] | number;
  readonly reasoning?: readonly string[];
  /** Field that carries the reasoning. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly toolCalls?: readonly ToolCallPlan[];
  /** Wait before the status line. */
  readonly delayMs?: number;
  /** Wait before each piece. */
  readonly intervalMs?: number;
  /** Null leaves the finish chunk out. */
  readonly finishReason?: string | null;
  readonly usage?: object;
  /** Whether `[DONE]` ends the stream; true by default. */
  readonly done?: boolean;
  /** Each event carries the whole text so far. */
  readonly cumulative?: boolean;
}

export interface ToolCallPlan {
  readonly id: string;
  readonly name: string;
  /** The arguments, fragment by fragment. */
  readonly arguments: readonly string[];
}

/** A chunk of a streamed answer with one choice. */
export function chunk(delta: object, finishReason: string | null = null): object {
  return {
    id: 'chatcmpl-stub',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'stub',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

/** A whole streamed answer. */
export function answer(options: AnswerOptions = {}): StubPlan {
  const { delayMs = 0, intervalMs = 0, done = true } = options;
  return async (reply) => {
    if (delayMs > 0) {
      await reply.wait(delayMs);
    }
    for (const data of answerEvents(options)) {
      if (intervalMs > 0) {
        await reply.wait(intervalMs);
      }
      if (reply.isClientGone) {
        return;
      }
      await reply.event(data);
    }
    if (done) {
      await reply.event('[DONE]');
    }
    reply.end();
  };
}

/** The chunks of such an answer, without `[DONE]`. */
export function answerEvents(options: AnswerOptions): object[] {
  const { reasoning = [], reasoningField = 'reasoning_content', toolCalls = [], usage } = options;
  const pieces = textPieces(options.pieces ?? ['Hello', ' there']);
  const finishReason = options.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
  const shown = (texts: readonly string[], index: number): string =>
    options.cumulative ? texts.slice(0, index + 1).join('') : (texts[index] ?? '');
  return [
    chunk({ role: 'assistant', content: '' }),
    ...reasoning.map((_text, index) => chunk({ [reasoningField]: shown(reasoning, index) })),
    ...pieces.map((_text, index) => chunk({ content: shown(pieces, index) })),
    ...toolCalls.flatMap(toolCallChunks),
    ...(options.finishReason === null ? [] : [chunk({}, finishReason)]),
    ...(usage ? [{ id: 'chatcmpl-stub', object: 'chat.completion.chunk', choices: [], usage }] : []),
  ];
}

function textPieces(pieces: readonly string[] | number): readonly string[] {
  return typeof pieces === 'number' ? Array.from({ length: pieces }, (_, index) => `${index} `) : pieces;
}

function toolCallChunks({ id, name, arguments: fragments }: ToolCallPlan, index: number): object[] {
  return [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...fragments.map((fragment) => chunk({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ];
}

/** One JSON body, although a stream was asked for. */
export function jsonAnswer(message: object, finishReason = 'stop', usage?: object): StubPlan {
  const body = {
    id: 'chatcmpl-stub',
    object: 'chat.completion',
    created: 1,
    model: 'stub',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage,
  };
  return async (reply) => {
    reply.accept();
    await reply.body(200, { 'content-type': 'application/json' }, JSON.stringify(body));
  };
}

/** Any status with an OpenAI error object, or a body of your own. */
export function failed(
  status: number,
  error: object | string = {},
  headers: Record<string, string> = {},
): StubPlan {
  const body = typeof error === 'string' ? error : JSON.stringify({ error });
  return (reply) => reply.body(status, { 'content-type': 'application/json', ...headers }, body);
}

export function rateLimited(
  options: { readonly retryAfter?: string; readonly body?: string } = {},
): StubPlan {
  const { retryAfter, body = '{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}' } =
    options;
  return failed(429, body, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

/** Stops speaking: before the status line, or after some pieces. */
export function hangs(afterPieces?: number): StubPlan {
  return afterPieces === undefined ? (reply) => reply.hang() : broken(afterPieces, (reply) => reply.hang());
}

/** Resets the connection: before the status line, or after some pieces. */
export function resets(afterPieces?: number): StubPlan {
  return afterPieces === undefined
    ? (reply) => reply.reset()
    : broken(afterPieces, async (reply) => {
        // A reset throws away what the other side has not read yet.
        await reply.wait(50);
        reply.reset();
      });
}

/** Speaks until the client leaves. */
export function endless(intervalMs: number): StubPlan {
  return async (reply) => {
    while (!reply.isClientGone) {
      await reply.event(chunk({ content: 'x' }));
      await reply.wait(intervalMs);
    }
  };
}

/** Ends in the middle as if all were well. */
export function truncated(afterPieces: number): StubPlan {
  return broken(afterPieces, (reply) => reply.end());
}

/** An error object in the stream, as the first event or after some pieces. */
export function streamError(error: object, afterPieces?: number): StubPlan {
  const fail = async (reply: StubReply): Promise<void> => {
    await reply.event({ error });
    reply.end();
  };
  return afterPieces === undefined ? fail : broken(afterPieces, fail);
}

/** A line of the given length that never ends. */
export function longLine(bytes: number): StubPlan {
  const piece = 'x'.repeat(64 * 1024);
  return broken(1, async (reply) => {
    await reply.raw('data: ');
    for (let sent = 0; sent < bytes && !reply.isClientGone; sent += piece.length) {
      await reply.raw(piece);
    }
    await reply.hang();
  });
}

/** Bytes that are not what the content type says. */
export function garbage(): StubPlan {
  return withBytes({ 'content-type': 'text/event-stream' }, 'data: {"choices":[{"delta":\n\ndata: %%%\n\n');
}

export function invalidUtf8(): StubPlan {
  const [before, after] = JSON.stringify(chunk({ content: 'a#b' })).split('#');
  return broken(0, async (reply) => {
    await reply.raw(
      Buffer.concat([Buffer.from(`data: ${before}`), Buffer.from([0xff, 0xc3]), Buffer.from(`${after}\n\n`)]),
    );
    await reply.event(chunk({}, 'stop'));
    await reply.event('[DONE]');
    reply.end();
  });
}

/** Says gzip although it was not asked for, and is not. */
export function gzipGarbage(): StubPlan {
  const bytes = gzipSync('data: {}\n\n').fill(0x5a, 10);
  return withBytes({ 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, bytes);
}

export function empty(): StubPlan {
  return withBytes({ 'content-type': 'text/event-stream' }, '');
}

export function wrongType(): StubPlan {
  return withBytes({ 'content-type': 'text/html' }, '<html><title>Welcome</title></html>');
}

export function withBytes(headers: Readonly<Record<string, string>>, bytes: string | Uint8Array): StubPlan {
  return (reply) => reply.body(200, headers, bytes);
}

function broken(afterPieces: number, then: StubPlan): StubPlan {
  return async (reply) => {
    await reply.event(chunk({ role: 'assistant', content: '' }));
    for (let index = 0; index < afterPieces; index++) {
      await reply.event(chunk({ content: `${index} ` }));
    }
    await then(reply);
  };
}
