import { carryText } from '../../chat/dto/carried-text.js';
import { itemId } from '../interfaces/response-ids.js';
import { type CompactionItem } from '../interfaces/response-object.js';
import { itemAdded, itemDone, type ItemPlace, type ItemWriter } from './item-writer.js';

/** Summary of a conversation, which the format has opaque to the caller. */
export class CompactionItemWriter implements ItemWriter {
  private readonly id: string;
  private readonly pieces: string[] = [];

  constructor(private readonly at: ItemPlace) {
    this.id = itemId('cmp', at.response, at.index);
  }

  item(): CompactionItem {
    return this.withContent(carryText(this.pieces.join('')));
  }

  open(): string {
    return itemAdded(this.at, this.withContent(''));
  }

  text(text: string): string {
    this.pieces.push(text);
    const { events, index } = this.at;
    return events.of('response.compaction.compacting', { item_id: this.id, output_index: index });
  }

  close(): string {
    return itemDone(this.at, this.item());
  }

  private withContent(carried: string): CompactionItem {
    return { id: this.id, type: 'compaction', encrypted_content: carried };
  }
}
