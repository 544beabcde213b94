/** Reads server-sent events out of a text that comes in pieces; each event's data is JSON. */
export class EventParser {
  #rest = '';

  /** The events that a piece completes. */
  read(text) {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop();
    return blocks.flatMap((block) => (block.startsWith('data: ') ? [JSON.parse(block.slice(6))] : []));
  }
}
