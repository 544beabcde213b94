import { GrowingText } from '../../chat/completion/stages/growing-text.js';
import { type EventNumbering } from './event-numbering.js';

/**
 * A text that grows by deltas, whose events have all but their number and text in common: that is serialised once, since
 * there is an event for each piece of an answer.
 */
export class GrowingPart {
  private readonly head: string;
  private readonly middle: string;
  private readonly tail: string;
  private readonly written = new GrowingText();

  /**
   * @param type of the events
   * @param place members of the events before `delta`
   * @param rest JSON of the members after it, each with a comma in front
   */
  constructor(
    private readonly events: EventNumbering,
    type: string,
    place: object,
    rest = '',
  ) {
    this.head = `event: ${type}\ndata: {"type":"${type}","sequence_number":`;
    this.middle = `,${JSON.stringify(place).slice(1, -1)},"delta":`;
    this.tail = `${rest}}\n\n`;
  }

  get text(): string {
    return this.written.text;
  }

  add(text: string): string {
    this.written.add(text);
    if (this.events.isSilent) {
      return '';
    }
    return this.head + this.events.takeNumber() + this.middle + JSON.stringify(text) + this.tail;
  }
}
