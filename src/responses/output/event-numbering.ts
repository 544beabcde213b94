/** Writes and numbers the events of one answer. */
export class EventNumbering {
  private next = 0;

  /** @param isSilent whether only the response is wanted: events are then empty texts */
  constructor(readonly isSilent = false) {}

  /** The number of the next event, for whoever writes it himself. */
  takeNumber(): number {
    return this.next++;
  }

  /** The text of one Server-Sent Event. @param members of its data besides type and number */
  of(type: string, members: object): string {
    return this.ofEach([type], members);
  }

  /** Events of several types with the same members, which are serialised once. */
  ofEach(types: readonly string[], members: object): string {
    if (this.isSilent) {
      return '';
    }
    const rest = JSON.stringify(members).slice(1, -1);
    return types
      .map((type) => `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.next++},${rest}}\n\n`)
      .join('');
  }
}
