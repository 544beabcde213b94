import { itemId } from '../interfaces/response-ids.js';
import {
  type ItemStatus,
  type MessageItem,
  type OutputRefusalPart,
  type OutputTextPart,
} from '../interfaces/response-object.js';
import { GrowingPart } from './growing-part.js';
import { itemAdded, itemDone, type ItemPlace, type ItemWriter } from './item-writer.js';

export type MessageKind = 'output_text' | 'refusal';

/** Text of the answer, or the model's refusal to give one. */
export class MessageItemWriter implements ItemWriter {
  private readonly id: string;
  private readonly place: object;
  private readonly written: GrowingPart;

  constructor(
    private readonly at: ItemPlace,
    readonly kind: MessageKind,
  ) {
    this.id = itemId('msg', at.response, at.index);
    this.place = { item_id: this.id, output_index: at.index, content_index: 0 };
    const rest = kind === 'refusal' ? '' : ',"logprobs":[]';
    this.written = new GrowingPart(at.events, `response.${kind}.delta`, this.place, rest);
  }

  item(status: ItemStatus): MessageItem {
    return { ...this.head(status), content: [this.part()] };
  }

  open(): string {
    return (
      itemAdded(this.at, { ...this.head('in_progress'), content: [] }) +
      this.at.events.of('response.content_part.added', { ...this.place, part: this.part() })
    );
  }

  text(text: string): string {
    return this.written.add(text);
  }

  close(status: ItemStatus): string {
    const { events } = this.at;
    const { text } = this.written;
    const whole = this.kind === 'refusal' ? { refusal: text } : { text, logprobs: [] };
    return (
      events.of(`response.${this.kind}.done`, { ...this.place, ...whole }) +
      events.of('response.content_part.done', { ...this.place, part: this.part() }) +
      itemDone(this.at, this.item(status))
    );
  }

  private head(status: ItemStatus): Omit<MessageItem, 'content'> {
    return { id: this.id, type: 'message', status, role: 'assistant' };
  }

  private part(): OutputTextPart | OutputRefusalPart {
    const { text } = this.written;
    return this.kind === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', annotations: [], logprobs: [], text };
  }
}
