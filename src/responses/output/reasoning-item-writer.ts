import { carryText } from '../../chat/dto/carried-text.js';
import { itemId } from '../interfaces/response-ids.js';
import { type ItemStatus, type ReasoningForm, type ReasoningItem } from '../interfaces/response-object.js';
import { GrowingPart } from './growing-part.js';
import { itemAdded, itemDone, type ItemPlace, type ItemWriter } from './item-writer.js';

/** Names of the events and parts of reasoning: as a summary, or as the reasoning itself. */
const SUMMARY = {
  index: 'summary_index',
  part: 'summary_text',
  added: 'response.reasoning_summary_part.added',
  delta: 'response.reasoning_summary_text.delta',
  textDone: 'response.reasoning_summary_text.done',
  partDone: 'response.reasoning_summary_part.done',
} as const;
const TEXT = {
  index: 'content_index',
  part: 'reasoning_text',
  added: 'response.content_part.added',
  delta: 'response.reasoning_text.delta',
  textDone: 'response.reasoning_text.done',
  partDone: 'response.content_part.done',
} as const;

/** Reasoning of the model. */
export class ReasoningItemWriter implements ItemWriter {
  private readonly id: string;
  private readonly names: typeof SUMMARY | typeof TEXT;
  private readonly place: object;
  private readonly written: GrowingPart;

  constructor(
    private readonly at: ItemPlace,
    private readonly form: ReasoningForm,
  ) {
    this.id = itemId('rs', at.response, at.index);
    this.names = form.asSummary ? SUMMARY : TEXT;
    this.place = { item_id: this.id, output_index: at.index, [this.names.index]: 0 };
    this.written = new GrowingPart(at.events, this.names.delta, this.place);
  }

  item(status: ItemStatus): ReasoningItem {
    const { text } = this.written;
    const item = this.withParts(status, [text]);
    return this.form.carriesReasoning ? { ...item, encrypted_content: carryText(text) } : item;
  }

  open(): string {
    return (
      itemAdded(this.at, this.withParts('in_progress', [])) +
      this.at.events.of(this.names.added, { ...this.place, part: { type: this.names.part, text: '' } })
    );
  }

  text(text: string): string {
    return this.written.add(text);
  }

  close(status: ItemStatus): string {
    const { events } = this.at;
    const { text } = this.written;
    return (
      events.of(this.names.textDone, { ...this.place, text }) +
      events.of(this.names.partDone, { ...this.place, part: { type: this.names.part, text } }) +
      itemDone(this.at, this.item(status))
    );
  }

  private withParts(status: ItemStatus, texts: readonly string[]): ReasoningItem {
    const head = { id: this.id, type: 'reasoning', status } as const;
    return this.form.asSummary
      ? { ...head, summary: texts.map((text) => ({ type: 'summary_text', text })) }
      : { ...head, summary: [], content: texts.map((text) => ({ type: 'reasoning_text', text })) };
  }
}
