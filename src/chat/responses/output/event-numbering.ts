/** Writes the events of one answer, each with its number. */
export class EventNumbering {
  private next = 0;

  /** The text of one Server-Sent Event. @param members of its data besides type and number, as JSON without braces */
  event(type: string, members: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.next++},${members}}\n\n`;
  }

  /** The same with members that are not hot. */
  of(type: string, members: object): string {
    return this.event(type, JSON.stringify(members).slice(1, -1));
  }
}
