/**
 * The events of a response as they come; those that one piece of it completes come together.
 *
 * @param {Response} response
 * @param {<T>(piece: Promise<T>) => Promise<T>} [within] limits the wait for a piece
 */
export async function* eventBatches(response, within = (piece) => piece) {
  // Not every browser iterates over a stream.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventStreamReader();
  for (;;) {
    const { value, done } = await within(reader.read());
    if (done) {
      return;
    }
    yield events.read(value);
  }
}

/** Incremental parser of server-sent events. */
export class EventStreamReader {
  #rest = '';
  #data = [];
  #id;

  /**
   * The events completed by a piece of text, cut anywhere. `id` is the last one received up to the event.
   *
   * @param {string} piece
   * @returns {{ data: string, id: string | undefined }[]}
   */
  read(piece) {
    const events = [];
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#take(line.endsWith('\r') ? line.slice(0, -1) : line, events);
    }
    return events;
  }

  #take(line, events) {
    if (line === '') {
      if (this.#data.length > 0) {
        events.push({ data: this.#data.join('\n'), id: this.#id });
        this.#data = [];
      }
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.#data.push(value);
    } else if (field === 'id') {
      this.#id = value;
    }
  }
}
