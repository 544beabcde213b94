/** An answer of a chat completion as it grows, chunk by chunk or at once. Times are milliseconds since it was asked for. */
export class ChatAnswer {
  reasoning = '';
  text = '';
  /** @type {{ id: string, name: string, arguments: string }[]} */
  calls = [];
  /** @type {string | undefined} */
  finishReason;
  /** @type {Record<string, any> | undefined} */
  usage;
  /** @type {{ message: string, code?: string, status?: number } | undefined} */
  error;
  /** Id of the request in the log. @type {string | undefined} */
  requestId;
  chunks = 0;
  isDone = false;
  /** @type {number | undefined} */
  headersMs;
  /** First reasoning, text or call. @type {number | undefined} */
  firstMs;
  /** First text or call. @type {number | undefined} */
  firstTextMs;
  /** @type {number | undefined} */
  totalMs;

  /** Takes a chunk of a stream, or an error event. */
  takeChunk(chunk, atMs) {
    this.chunks += 1;
    if (chunk.error) {
      this.error = chunk.error;
      return;
    }
    this.usage = chunk.usage ?? this.usage;
    const [choice] = chunk.choices ?? [];
    if (choice) {
      this.finishReason = choice.finish_reason ?? this.finishReason;
      this.#take(choice.delta ?? {}, atMs);
    }
  }

  /** Takes an answer that came as one JSON body. */
  takeBody({ choices: [choice], usage }, atMs) {
    this.usage = usage;
    this.finishReason = choice.finish_reason;
    this.#take(choice.message, atMs);
  }

  /** Ends the answer. @param {{ message: string, code?: string, status?: number }} [error] if it failed */
  end(atMs, error) {
    this.isDone = true;
    this.totalMs = atMs;
    this.error ??= error;
  }

  /** Completion tokens a second from the first token on; undefined while unknown. */
  get tokensPerSecond() {
    const tokens = this.usage?.completion_tokens;
    const ms = this.totalMs - this.firstMs;
    return tokens > 1 && ms > 0 ? ((tokens - 1) * 1000) / ms : undefined;
  }

  #take({ reasoning_content: reasoning, content, refusal, tool_calls: calls = [] }, atMs) {
    const text = content || refusal || '';
    this.reasoning += reasoning ?? '';
    this.text += text;
    for (const [place, call] of calls.entries()) {
      this.#takeCall(call, call.index ?? place);
    }
    if (text !== '' || calls.length > 0) {
      this.firstTextMs ??= atMs;
    }
    if (reasoning || text !== '' || calls.length > 0) {
      this.firstMs ??= atMs;
    }
  }

  #takeCall({ id = '', function: { name = '', arguments: json = '' } = {} }, index) {
    const call = (this.calls[index] ??= { id: '', name: '', arguments: '' });
    call.id += id;
    call.name += name;
    call.arguments += json;
  }
}
