import { customInput } from '../../chat/dto/custom-tools.js';
import { type ToolOrigin } from '../dto/response-tools.js';
import { itemId } from '../interfaces/response-ids.js';
import {
  type CustomToolCallItem,
  type FunctionCallItem,
  type ItemStatus,
} from '../interfaces/response-object.js';
import { type ItemPlace, type ItemWriter } from './item-writer.js';

/** A call of a function or of a custom tool, by the name and namespace that the caller knows. */
export class CallItemWriter implements ItemWriter {
  private readonly id: string;
  private json = '';

  constructor(
    private readonly at: ItemPlace,
    private readonly callId: string,
    private readonly origin: ToolOrigin,
  ) {
    this.id = itemId(origin.kind === 'custom' ? 'ctc' : 'fc', at.response, at.index);
  }

  item(status: ItemStatus): FunctionCallItem | CustomToolCallItem {
    const { kind, ...name } = this.origin;
    const call = { status, call_id: this.callId, ...name };
    return kind === 'custom'
      ? {
          id: this.id,
          type: 'custom_tool_call',
          ...call,
          input: this.json === '' ? '' : customInput(this.json),
        }
      : { id: this.id, type: 'function_call', ...call, arguments: this.json };
  }

  open(): string {
    const { events, index } = this.at;
    return events.of('response.output_item.added', { output_index: index, item: this.item('in_progress') });
  }

  /** The input of a custom tool is known once the JSON around it is whole, so it comes as one delta at the end. */
  arguments(json: string): string {
    this.json += json;
    return json === '' || this.origin.kind === 'custom'
      ? ''
      : this.event('response.function_call_arguments.delta', { delta: json });
  }

  close(status: ItemStatus): string {
    const item = this.item(status);
    const { events, index } = this.at;
    const done =
      item.type === 'custom_tool_call'
        ? this.event('response.custom_tool_call_input.delta', { delta: item.input }) +
          this.event('response.custom_tool_call_input.done', { input: item.input })
        : this.event('response.function_call_arguments.done', { arguments: item.arguments });
    return done + events.of('response.output_item.done', { output_index: index, item });
  }

  private event(type: string, members: object): string {
    return this.at.events.of(type, { item_id: this.id, output_index: this.at.index, ...members });
  }
}
