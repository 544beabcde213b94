/** Numbers the events of one answer. */
export class EventNumbering {
  private next = 0;

  /** The number of the next event, for whoever writes it himself. */
  takeNumber(): number {
    return this.next++;
  }

  /** The text of one Server-Sent Event. @param members of its data besides type and number */
  of(type: string, members: object): string {
    const rest = JSON.stringify(members).slice(1, -1);
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.next++},${rest}}\n\n`;
  }
}
