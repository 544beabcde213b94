/** Incremental parser of server-sent events whose data is JSON. */
export class EventParser {
  #rest = '';

  /** Returns the events that a piece of text completes. */
  read(text) {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop();
    return blocks.flatMap((block) => (block.startsWith('data: ') ? [JSON.parse(block.slice(6))] : []));
  }
}
