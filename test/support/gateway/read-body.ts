/** A body as far as it came. */
export interface ReadBody {
  readonly text: string;
  /** False if the connection broke. */
  readonly isWhole: boolean;
}

/** Reads a response to its end, or to the point at which its connection breaks. */
export async function readBody({ body }: Response): Promise<ReadBody> {
  let text = '';
  try {
    for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
    }
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}
