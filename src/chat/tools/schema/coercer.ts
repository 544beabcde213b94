import { Acceptance, hasAdmittedKind, hasAdmittedValue } from './acceptance.js';
import { type Branch, type Schema } from './schema-document.js';
import {
  arrayNode,
  objectNode,
  parseSourceNode,
  plainText,
  type SourceNode,
  stringNode,
} from './source-node.js';

/** A value as its schema wants it, and what was done to it, each kind of repair once. */
export interface CoercedNode {
  readonly node: SourceNode;
  readonly repairs: readonly string[];
}

/**
 * Brings values to the kinds that their schemas declare. What conforms is never touched, and nothing is changed that
 * would lose anything: a number as text becomes a number, but never the other way round if both are allowed.
 * Remembers what it did for as long as it lives.
 */
export class Coercer {
  readonly acceptance = new Acceptance();
  private readonly known = new Map<SourceNode, Map<Schema, CoercedNode>>();

  coerce(node: SourceNode, schema: Schema): CoercedNode {
    if (schema.branches.length === 1) {
      return this.coerceIn(node, schema.branches[0]!, true);
    }
    // Without a memory, nested alternatives would take exponential time.
    let results = this.known.get(node);
    if (!results) {
      this.known.set(node, (results = new Map<Schema, CoercedNode>()));
    }
    let result = results.get(schema);
    if (!result) {
      result = this.choose(node, schema, true);
      results.set(schema, result);
    }
    return result;
  }

  /** Takes the first alternative that the value can be brought to. */
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
    // It will not conform, but where only one alternative can be meant its members are still read by that.
    return ofItsKind.length === 1 ? ofItsKind[0]! : unchanged(node);
  }

  private coerceIn(node: SourceNode, branch: Branch, mayWrap: boolean): CoercedNode {
    if (branch.values) {
      return hasAdmittedValue(node, branch) ? unchanged(node) : toListedValue(node, branch.values);
    }
    if (hasAdmittedKind(node, branch)) {
      return this.coerceChildren(node, branch);
    }
    return (
      (node.kind === 'string' ? this.readString(node, branch) : toText(node, branch)) ??
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
    return { node: changed, repairs: [...repairs] };
  }

  /** A string where none is allowed: it may hold the text of what is. */
  private readString(node: SourceNode, branch: Branch): CoercedNode | undefined {
    const text = plainText(node).trim();
    const read = parseSourceNode(text) ?? literalNode(text);
    if (read?.kind === 'string') {
      return this.readString(read, branch);
    }
    if (read && hasAdmittedKind(read, branch)) {
      const { node: inner, repairs } = this.coerceChildren(read, branch);
      return { node: inner, repairs: [`string_to_${read.kind}`, ...repairs] };
    }
    return text === '' && branch.admits('null') ? { node: NULL, repairs: ['empty_to_null'] } : undefined;
  }

  /** One value where a list of such is declared. */
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

const NULL: SourceNode = { kind: 'null', text: 'null' };

function unchanged(node: SourceNode): CoercedNode {
  return { node, repairs: [] };
}

/** A value that `enum` or `const` lists in another spelling, if only one can be meant. */
function toListedValue(node: SourceNode, values: readonly unknown[]): CoercedNode {
  const text = plainText(node);
  const listed = values.map((value) => ({
    text: typeof value === 'string' ? value : JSON.stringify(value),
    json: JSON.stringify(value),
  }));
  const unquoted = node.kind === 'string' ? parseSourceNode(text.trim()) : undefined;
  const meant =
    listed.find((one) => one.text === text) ??
    only(listed.filter((one) => fold(one.text) === fold(text))) ??
    (unquoted?.kind === 'string' ? listed.find((one) => one.text === plainText(unquoted)) : undefined);
  const found = meant && parseSourceNode(meant.json);
  return found ? { node: found, repairs: ['listed_value'] } : unchanged(node);
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** Something else where only text is allowed: its JSON text, digit by digit. */
function toText(node: SourceNode, branch: Branch): CoercedNode | undefined {
  return branch.admits('string') && node.kind !== 'null'
    ? { node: stringNode(node.text), repairs: [`${node.kind}_to_string`] }
    : undefined;
}

/** Literals in the spelling of other languages. */
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

/** Text that looks like several values, written in a way of its own, is no single one. */
function mayBeList(node: SourceNode): boolean {
  const text = plainText(node);
  return /^\s*(?:$|[[{])|\n/.test(text);
}
