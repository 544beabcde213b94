import { GrowingText } from '../../completion/stages/growing-text.js';
import { itemId } from '../interfaces/response-ids.js';
import { type ItemStatus, type MessageItem, type OutputTextPart } from '../interfaces/response-object.js';
import { type ItemPlace, type ItemWriter } from './item-writer.js';

/** Text of the answer. */
export class MessageItemWriter implements ItemWriter {
  private readonly id: string;
  private readonly place: object;
  /** What all deltas share, serialised once. */
  private readonly deltaHead: string;
  private readonly written = new GrowingText();

  constructor(private readonly at: ItemPlace) {
    this.id = itemId('msg', at.response, at.index);
    this.place = { item_id: this.id, output_index: at.index, content_index: 0 };
    this.deltaHead = `${JSON.stringify(this.place).slice(1, -1)},"delta":`;
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
    return this.at.events.event(
      'response.output_text.delta',
      `${this.deltaHead}${JSON.stringify(text)},"logprobs":[]`,
    );
  }

  close(status: ItemStatus): string {
    const { events, index } = this.at;
    const part = this.part();
    return (
      events.of('response.output_text.done', { ...this.place, text: part.text, logprobs: [] }) +
      events.of('response.content_part.done', { ...this.place, part }) +
      events.of('response.output_item.done', { output_index: index, item: this.item(status) })
    );
  }

  private head(status: ItemStatus): Omit<MessageItem, 'content'> {
    return { id: this.id, type: 'message', status, role: 'assistant' };
  }

  private part(): OutputTextPart {
    return { type: 'output_text', annotations: [], logprobs: [], text: this.written.text };
  }
}
