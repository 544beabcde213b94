/** A completion as its caller received it; times are `performance.now()`. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** The body, byte for byte. */
  readonly text: string;
  /** The answer's text, put together from the stream's chunks. */
  readonly answer: string;
  readonly endedAt: number;
  /** When the error event was there, if one came. */
  readonly errorAt: number | undefined;
  /** False if the connection broke. */
  readonly isWhole: boolean;
}

/** Asks for one streamed completion and reads it to its end. */
export class StreamCaller {
  /** Resolves with the first piece of text; rejects if the answer ends without one. */
  readonly began: Promise<void>;
  readonly ended: Promise<Received>;
  private readonly beginning = Promise.withResolvers<void>();

  constructor(
    baseUrl: string,
    readonly prompt: string,
  ) {
    this.began = this.beginning.promise;
    this.began.catch(() => undefined);
    this.ended = this.read(baseUrl, prompt);
  }

  private async read(baseUrl: string, content: string): Promise<Received> {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        model: 'svc-max-no-thinking',
        max_tokens: 30_000,
        messages: [{ role: 'user', content }],
      }),
    });
    let text = '';
    let errorAt: number | undefined;
    let isWhole = true;
    try {
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        text += piece;
        if (/"content":"[^"]/.test(text)) {
          this.beginning.resolve();
        }
        if (errorAt === undefined && text.includes('data: {"error":')) {
          errorAt = performance.now();
        }
      }
    } catch {
      isWhole = false;
    }
    this.beginning.reject(new Error(`The answer ended without a text: ${text}`));
    const { status, headers } = response;
    return { status, headers, text, answer: answerIn(text), endedAt: performance.now(), errorAt, isWhole };
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
}

function answerIn(text: string): string {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .map((frame) => (JSON.parse(frame.slice('data: '.length)) as Chunk).choices?.[0]?.delta.content ?? '')
    .join('');
}
