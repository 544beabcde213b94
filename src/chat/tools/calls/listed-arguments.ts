import {
  type ObjectMember,
  objectNode,
  parseSourceNode,
  plainText,
  type SourceNode,
} from '../schema/source-node.js';
import { type CallableTool } from './callable-tool.js';

/** Members that name the parameter whose value stands beside them. */
const PAIR_KEYS: ReadonlySet<string> = new Set(['name', 'key', 'parameter', 'argument']);

/**
 * The object of arguments that a list is meant as: none, one object, or several with one parameter or more each,
 * `[{"city": "Paris"}, {"days": 2}]`, `[{"name": "city", "value": "Paris"}]`.
 * @param json sound JSON
 * @returns JSON; undefined if the list holds anything else
 */
export function listedArguments(json: string, tool: CallableTool): string | undefined {
  const list = parseSourceNode(json);
  const items = list?.kind === 'array' ? list.items : [list];
  const [first] = items;
  if (items.length === 1 && first?.kind === 'object' && !pairOf(first, tool)) {
    return first.text;
  }
  const members: ObjectMember[] = [];
  for (const item of items) {
    if (item?.kind !== 'object') {
      return undefined;
    }
    members.push(...(pairOf(item, tool) ?? item.members));
  }
  const keys = new Set(members.map(({ key }) => key));
  const areAll = keys.size === members.length && members.every(({ key }) => tool.declares(key));
  return areAll ? objectNode(members).text : undefined;
}

/** The parameter that an item of a list names and gives a value. */
function pairOf(item: SourceNode, tool: CallableTool): readonly [ObjectMember] | undefined {
  const [name, value, ...others] = item.kind === 'object' ? item.members : [];
  if (!name || value?.key !== 'value' || others.length > 0 || !PAIR_KEYS.has(name.key)) {
    return undefined;
  }
  const key = plainText(name.value);
  return tool.declares(key) && !tool.declares('value') ? [{ key, value: value.value }] : undefined;
}
