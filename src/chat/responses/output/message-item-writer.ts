import { GrowingText } from '../../completion/stages/growing-text.js';
import { itemId } from '../interfaces/response-ids.js';
import {
  type ItemStatus,
  type MessageItem,
  type OutputRefusalPart,
  type OutputTextPart,
} from '../interfaces/response-object.js';
import { type ItemPlace, type ItemWriter } from './item-writer.js';

/** Text of the answer, or the model's refusal to give one. */
export class MessageItemWriter implements ItemWriter {
  private readonly id: string;
  private readonly place: object;
  /** What all deltas share, serialised once. */
  private readonly deltaHead: string;
  private readonly deltaTail: string;
  private readonly written = new GrowingText();

  constructor(
    private readonly at: ItemPlace,
    private readonly kind: 'output_text' | 'refusal' = 'output_text',
  ) {
    this.id = itemId('msg', at.response, at.index);
    this.place = { item_id: this.id, output_index: at.index, content_index: 0 };
    this.deltaHead = `${JSON.stringify(this.place).slice(1, -1)},"delta":`;
    this.deltaTail = kind === 'refusal' ? '' : ',"logprobs":[]';
  }

  item(status: ItemStatus): MessageItem {
    return { ...this.head(status), content: [this.part()] };
  }

  open(): string {
    const { events, index } = this.at;
    return (
      events.of('response.output_item.added', {
        output_index: index,
        item: { ...this.head('in_progress'), content: [] },
      }) + events.of('response.content_part.added', { ...this.place, part: this.part() })
    );
  }

  text(text: string): string {
    this.written.add(text);
    const members = this.deltaHead + JSON.stringify(text) + this.deltaTail;
    return this.at.events.event(`response.${this.kind}.delta`, members);
  }

  close(status: ItemStatus): string {
    const { events, index } = this.at;
    const { text } = this.written;
    const whole = this.kind === 'refusal' ? { refusal: text } : { text, logprobs: [] };
    return (
      events.of(`response.${this.kind}.done`, { ...this.place, ...whole }) +
      events.of('response.content_part.done', { ...this.place, part: this.part() }) +
      events.of('response.output_item.done', { output_index: index, item: this.item(status) })
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
