import { type ToolCallDelta } from '../upstream-driver.js';
import { isObject } from './upstream-failure.js';

/**
 * Brings native tool calls to one form: `id` and `name` with the first piece of a call only, calls numbered from 0 in
 * the order they begin. Servers leave `index` out, give every call the same one, or repeat names and ids.
 */
export class ToolCallReader {
  /** Calls by the upstream's index, which a later call may reuse. */
  private readonly open = new Map<number, { readonly index: number; readonly id: string | undefined }>();
  private count = 0;
  private lastKey = -1;

  /** The delta of one piece; undefined for a value that is no tool call. */
  read(call: unknown): ToolCallDelta | undefined {
    if (!isObject(call)) {
      return undefined;
    }
    const made = isObject(call.function) ? call.function : {};
    const id = nonEmpty(call.id);
    const name = nonEmpty(made.name);
    const key = this.keyOf(call.index, id);
    this.lastKey = key;
    const known = this.open.get(key);
    if (known && (id === undefined || known.id === undefined || id === known.id)) {
      return { index: known.index, arguments: argumentsText(made.arguments) };
    }
    const index = this.count++;
    this.open.set(key, { index, id });
    return { index, id, name, arguments: argumentsText(made.arguments) };
  }

  private keyOf(index: unknown, id: string | undefined): number {
    if (typeof index === 'number' && Number.isInteger(index)) {
      return index;
    }
    const last = this.open.get(this.lastKey);
    return last && (id === undefined || id === last.id) ? this.lastKey : this.lastKey + 1;
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Some servers send the arguments as an object. */
function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : '';
}
