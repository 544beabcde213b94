import { type ItemStatus, type OutputItem } from '../interfaces/response-object.js';
import { type EventNumbering } from './event-numbering.js';

/** Position of an item in its response. */
export interface ItemPlace {
  readonly events: EventNumbering;
  /** Id of the response. */
  readonly response: string;
  /** `output_index`. */
  readonly index: number;
}

/** Text of the event that an item begins. */
export function itemAdded({ events, index }: ItemPlace, item: OutputItem): string {
  return events.of('response.output_item.added', { output_index: index, item });
}

/** Text of the event that an item is whole. */
export function itemDone({ events, index }: ItemPlace, item: OutputItem): string {
  return events.of('response.output_item.done', { output_index: index, item });
}

/**
 * One item of the output while it grows. Its methods give the text of events. Order of the events of an item: added,
 * part added, deltas, text done, part done, done (OpenAPI document of the format, `ResponseStreamEvent`).
 */
export interface ItemWriter {
  /** The item as it is now. */
  item(status: ItemStatus): OutputItem;
  open(): string;
  close(status: ItemStatus): string;
}
