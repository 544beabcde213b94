import { customInput } from '../../chat/dto/custom-tools.js';
import { argumentsObject } from '../../chat/tools/json/arguments-object.js';
import { type ToolOrigin } from '../dto/response-tools.js';
import { itemId } from '../interfaces/response-ids.js';
import { type CallItem, type ItemStatus } from '../interfaces/response-object.js';
import { builtInMembers } from './built-in-members.js';
import { itemAdded, itemDone, type ItemPlace, type ItemWriter } from './item-writer.js';

/** Beginnings of ids. */
const PREFIXES: Readonly<Record<ToolOrigin['kind'], string>> = {
  function: 'fc',
  custom: 'ctc',
  tool_search: 'tsc',
  apply_patch: 'apc',
  local_shell: 'lsh',
  shell: 'sh',
};

/** A call of a function, of another tool or of a search for tools, by the name and namespace that the caller knows. */
export class CallItemWriter implements ItemWriter {
  private readonly id: string;
  private json = '';

  constructor(
    private readonly at: ItemPlace,
    private readonly callId: string,
    private readonly origin: ToolOrigin,
  ) {
    this.id = itemId(PREFIXES[origin.kind], at.response, at.index);
  }

  item(status: ItemStatus): CallItem {
    const { id, callId, json } = this;
    const { kind, ...name } = this.origin;
    const call = { status, call_id: callId };
    switch (kind) {
      case 'function':
        return { id, type: 'function_call', ...call, ...name, arguments: json };
      case 'custom':
        return {
          id,
          type: 'custom_tool_call',
          ...call,
          ...name,
          input: json === '' ? '' : customInput(json),
        };
      case 'tool_search':
        return {
          id,
          type: 'tool_search_call',
          ...call,
          execution: 'client',
          arguments: argumentsObject(json),
        };
      case 'apply_patch':
      case 'local_shell':
      case 'shell':
        return {
          id,
          type: `${kind}_call`,
          ...call,
          // The format has no word for a patch that was cut off.
          ...(kind === 'apply_patch' && status === 'incomplete' && { status: 'in_progress' }),
          ...builtInMembers(kind, { ...argumentsObject(json) }),
        };
    }
  }

  open(): string {
    return this.isBuiltIn ? '' : this.added();
  }

  /**
   * The input of a custom tool is known once the JSON around it is whole, so it comes as one delta at the end. A search
   * and built-in tools have no deltas.
   */
  arguments(json: string): string {
    this.json += json;
    return json === '' || this.origin.kind !== 'function'
      ? ''
      : this.event('response.function_call_arguments.delta', { delta: json });
  }

  /** Clients read what a built-in tool is to do at the beginning of its item already, so that comes once it is known. */
  close(status: ItemStatus): string {
    const item = this.item(status);
    return (this.isBuiltIn ? this.added() : '') + this.whole(item) + itemDone(this.at, item);
  }

  private get isBuiltIn(): boolean {
    return ['apply_patch', 'local_shell', 'shell'].includes(this.origin.kind);
  }

  private added(): string {
    return itemAdded(this.at, this.item('in_progress'));
  }

  private whole(item: CallItem): string {
    switch (item.type) {
      case 'function_call':
        return this.event('response.function_call_arguments.done', {
          name: item.name,
          arguments: item.arguments,
        });
      case 'custom_tool_call':
        return (
          this.event('response.custom_tool_call_input.delta', { delta: item.input }) +
          this.event('response.custom_tool_call_input.done', { input: item.input })
        );
      case 'tool_search_call':
      case 'apply_patch_call':
      case 'local_shell_call':
      case 'shell_call':
        return '';
    }
  }

  private event(type: string, members: object): string {
    return this.at.events.of(type, { item_id: this.id, output_index: this.at.index, ...members });
  }
}
