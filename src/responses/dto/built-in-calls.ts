import { isJsonObject, type JsonObject, jsonObjects } from '../../common/text/json-object.js';

type TypedItem = JsonObject & { readonly type: string };

/** Member that holds the arguments of a call, by the type of the call. */
const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['apply_patch_call', 'operation'],
  ['local_shell_call', 'action'],
  ['shell_call', 'action'],
  ['tool_search_call', 'arguments'],
]);

/** Text of a result, by its type. */
const RESULTS: ReadonlyMap<string, (item: JsonObject) => string> = new Map([
  ['apply_patch_call_output', ({ status, output }: JsonObject) => lines([status, output])],
  ['local_shell_call_output', ({ output }: JsonObject) => lines([output])],
  ['shell_call_output', ({ output }: JsonObject) => jsonObjects(output).map(commandText).join('\n')],
  [
    'tool_search_output',
    ({ tools }: JsonObject) => `Found: ${jsonObjects(tools).flatMap(nameOf).join(', ') || 'nothing'}`,
  ],
]);

/**
 * Whether an item tells of a tool that a provider taught its models, such as a shell. The caller runs most of them
 * itself, so that they are as much of the conversation as functions are.
 */
export function isBuiltIn(type: string): boolean {
  return ARGUMENTS.has(type) || RESULTS.has(type);
}

/** The calls and results of built-in tools in one conversation, in its order, as those of functions. */
export class BuiltInCalls {
  /** Ids of the calls so far, by the ids that results may name: for `local_shell`, that of the call's item, too. */
  private readonly callIds = new Map<unknown, string>();

  /**
   * Undefined without the id of a call, as providers leave it out where they ran the tool themselves. The call of a
   * result may be missing, since callers shorten their histories.
   */
  toFunctionItem<Item extends TypedItem>(item: Item): Item | undefined {
    const { type, call_id: callId, id } = item;
    const resultText = RESULTS.get(type);
    const call = callId ?? (type.startsWith('local_shell_call') ? id : undefined);
    if (typeof call !== 'string' || call === '') {
      return undefined;
    }
    if (resultText) {
      const known = this.callIds.get(callId ?? id) ?? call;
      return { ...item, type: 'function_call_output', call_id: known, output: resultText(item) };
    }
    this.callIds.set(call, call).set(id, call);
    return {
      ...item,
      type: 'function_call',
      call_id: call,
      name: type.replace(/_call$/, ''),
      arguments: argumentsOf(item[ARGUMENTS.get(type)!]),
    };
  }
}

function argumentsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

/** What a command of a shell wrote, and how it ended unless well. */
function commandText({ stdout, stderr, outcome }: JsonObject): string {
  const { type, exit_code: code } = isJsonObject(outcome) ? outcome : {};
  const end = type === 'timeout' ? 'Timed out.' : code ? `Exit code: ${JSON.stringify(code)}` : '';
  return lines([stdout, stderr, end]);
}

function nameOf({ name }: JsonObject): string[] {
  return typeof name === 'string' ? [name] : [];
}

function lines(values: readonly unknown[]): string {
  return values.filter((value) => typeof value === 'string' && value !== '').join('\n');
}
