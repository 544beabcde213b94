import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { Acceptance, hasAdmittedKind, isListed } from './acceptance.js';
import { containerNode } from './container-node.js';
import { type ListedValues } from './listed-values.js';
import { type Branch, type Schema } from './schema-document.js';
import {
  arrayNode,
  objectNode,
  parseSourceNode,
  plainText,
  type SourceNode,
  stringNode,
} from './source-node.js';

/** A value brought to its schema, with the names of the changes, each once. */
export interface CoercedNode {
  readonly node: SourceNode;
  readonly repairs: readonly string[];
}

/**
 * Coerces values to the kinds that their schemas declare. A conforming value is never touched, and no change loses
 * anything: text becomes a number where only numbers are admitted, but a number stays one where both are admitted.
 * Caches its results as long as it lives.
 */
export class Coercer {
  readonly acceptance = new Acceptance();
  private readonly known = new Map<SourceNode, Map<Schema, CoercedNode>>();
  private readonly readings = new Map<SourceNode, Reading>();

  coerce(node: SourceNode, schema: Schema): CoercedNode {
    const { branches } = schema;
    if (branches.length === 1) {
      return this.coerceIn(node, branches[0]!, true);
    }
    // Cached, because nested alternatives would otherwise take exponential time.
    const results = getOrInsert(this.known, node, () => new Map<Schema, CoercedNode>());
    return getOrInsert(results, schema, () => this.choose(node, schema, true));
  }

  /**
   * Takes the first alternative to which the value can be coerced.
   * @param mayWrap whether a value may become a list of one
   */
  private choose(node: SourceNode, schema: Schema, mayWrap: boolean): CoercedNode {
    if (this.acceptance.accepts(node, schema)) {
      return unchanged(node);
    }
    const ofItsKind: CoercedNode[] = [];
    for (const branch of schema.branches) {
      const tried = this.coerceIn(node, branch, mayWrap);
      if (this.acceptance.acceptsIn(tried.node, branch)) {
        return tried;
      }
      if (hasAdmittedKind(node, branch)) {
        ofItsKind.push(tried);
      }
    }
    // The value will not conform. If only one alternative has its kind, that one is meant and coerces the members.
    return ofItsKind.length === 1 ? ofItsKind[0]! : unchanged(node);
  }

  private coerceIn(node: SourceNode, branch: Branch, mayWrap: boolean): CoercedNode {
    if (branch.listed) {
      return isListed(node, branch) ? unchanged(node) : toListedValue(node, branch.listed);
    }
    if (hasAdmittedKind(node, branch)) {
      return this.coerceChildren(node, branch);
    }
    branch.charge(node.text.length);
    const described = describedValue(node);
    const held = described ?? heldList(node, branch);
    if (held) {
      const { node: inner, repairs } = this.coerceIn(held, branch, mayWrap);
      return { node: inner, repairs: [described ? 'described_value' : 'wrapped_list', ...repairs] };
    }
    return (
      (node.kind === 'string' ? this.readString(node, branch) : toText(node, branch)) ??
      toBoolean(node, branch) ??
      (mayWrap ? this.wrap(node, branch) : undefined) ??
      unchanged(node)
    );
  }

  private coerceChildren(node: SourceNode, branch: Branch): CoercedNode {
    const repairs = new Set<string>();
    const coerced = (child: SourceNode, schema: Schema): SourceNode => {
      const result = this.coerce(child, schema);
      result.repairs.forEach((repair) => repairs.add(repair));
      return result.node;
    };
    let changed = node;
    if (node.kind === 'array') {
      const items = node.items.map((item, index) => coerced(item, branch.item(index)));
      changed = repairs.size > 0 ? arrayNode(items) : node;
    } else if (node.kind === 'object') {
      const members = node.members.map(({ key, value }) => ({
        key,
        value: coerced(value, branch.property(key)),
      }));
      changed = repairs.size > 0 ? objectNode(members) : node;
    }
    branch.charge(repairs.size > 0 ? node.text.length : 0);
    return { node: changed, repairs: [...repairs] };
  }

  /** Reads a string as the text of a value of an admitted kind. */
  private readString(node: SourceNode, branch: Branch): CoercedNode | undefined {
    const { text, read, mended } = this.reading(node);
    if (read?.kind === 'string') {
      return this.readString(read, branch);
    }
    const meant = read && (hasAdmittedKind(read, branch) ? read : heldList(read, branch));
    if (meant) {
      const { node: inner, repairs } = this.coerceChildren(meant, branch);
      return { node: inner, repairs: [...mended, `string_to_${meant.kind}`, ...repairs] };
    }
    return text === '' && branch.admits('null') ? { node: NULL, repairs: ['empty_to_null'] } : undefined;
  }

  /** Cached, because each alternative reads the same text. */
  private reading(node: SourceNode): Reading {
    return getOrInsert(this.readings, node, () => {
      const text = plainText(node).trim();
      const sound = parseSourceNode(text) ?? literalNode(text);
      const { node: read, repairs: mended } = sound ? unchanged(sound) : (containerNode(text) ?? UNREAD);
      return { text, read, mended };
    });
  }

  /** Wraps a value into a list of one where a list is declared. */
  private wrap(node: SourceNode, branch: Branch): CoercedNode | undefined {
    if (!branch.admits('array') || node.kind === 'null' || (node.kind === 'string' && mayBeList(node))) {
      return undefined;
    }
    const schema = branch.item(0);
    const item = this.choose(node, schema, false);
    return this.acceptance.accepts(item.node, schema)
      ? { node: arrayNode([item.node]), repairs: [...item.repairs, 'wrapped_in_array'] }
      : undefined;
  }
}

/** The characters of a string, without white space at its ends, and the value that they are the text of. */
interface Reading {
  readonly text: string;
  readonly read: SourceNode | undefined;
  /** The repairs that made it JSON. */
  readonly mended: readonly string[];
}

const UNREAD = { node: undefined, repairs: [] };

/** Members of such a description. */
const DESCRIPTION_KEYS: ReadonlySet<string> = new Set(['type', 'value', 'description']);

const NULL: SourceNode = { kind: 'null', text: 'null' };

function unchanged(node: SourceNode): CoercedNode {
  return { node, repairs: [] };
}

/** The listed value (`enum`, `const`) that a value is another spelling of, if it is exactly one. */
function toListedValue(node: SourceNode, listed: ListedValues): CoercedNode {
  const text = plainText(node);
  const trimmed = text.trim();
  const unquoted = node.kind === 'string' && trimmed.startsWith('"') ? parseSourceNode(trimmed) : undefined;
  const meant =
    listed.spelled(text) ??
    listed.resembling(text) ??
    (unquoted?.kind === 'string' ? listed.spelled(plainText(unquoted)) : undefined);
  const found = meant === undefined ? undefined : parseSourceNode(meant);
  return found ? { node: found, repairs: ['listed_value'] } : unchanged(node);
}

/** A value of another kind as its JSON text where strings are admitted; digits are kept. */
function toText(node: SourceNode, branch: Branch): CoercedNode | undefined {
  return branch.admits('string') && node.kind !== 'null'
    ? { node: stringNode(node.text), repairs: [`${node.kind}_to_string`] }
    : undefined;
}

/** `1` or `0` where a boolean is admitted and no number. */
function toBoolean(node: SourceNode, branch: Branch): CoercedNode | undefined {
  const text = branch.admits('boolean') ? plainText(node).trim() : '';
  return text === '1' || text === '0'
    ? { node: { kind: 'boolean', text: String(text === '1') }, repairs: ['number_to_boolean'] }
    : undefined;
}

/** The value of an object that is like the schema of a parameter: `{"type": "string", "value": "Paris"}`. */
function describedValue(node: SourceNode): SourceNode | undefined {
  const members = node.kind === 'object' ? node.members : [];
  const isDescription =
    members.some(({ key }) => key === 'type') && members.every(({ key }) => DESCRIPTION_KEYS.has(key));
  return isDescription ? members.find(({ key }) => key === 'value')?.value : undefined;
}

/** The list that an object holds and nothing else, `{"items": […]}`, where a list is declared whose items are no such objects. */
function heldList(node: SourceNode, branch: Branch): SourceNode | undefined {
  const [only, ...others] = node.kind === 'object' && branch.admits('array') ? node.members : [];
  if (only?.value.kind !== 'array' || others.length > 0) {
    return undefined;
  }
  const isNoItem = (item: Branch): boolean =>
    !item.admits('object') || (item.keys.length > 0 && !item.declares(only.key));
  return branch.item(0).branches.every(isNoItem) ? only.value : undefined;
}

/** The literals of JSON in any case, and `None` of Python. */
function literalNode(text: string): SourceNode | undefined {
  switch (text.length > 5 ? '' : text.toLowerCase()) {
    case 'true':
      return { kind: 'boolean', text: 'true' };
    case 'false':
      return { kind: 'boolean', text: 'false' };
    case 'null':
    case 'none':
      return NULL;
    default:
      return undefined;
  }
}

/** Whether a string looks like a list in some notation, so that it is no single item. */
function mayBeList(node: SourceNode): boolean {
  const text = plainText(node);
  return /^\s*(?:$|[[{])|\n/.test(text);
}
