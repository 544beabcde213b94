import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { type Branch, type Schema } from './schema-document.js';
import { type SourceNode } from './source-node.js';
import { CHARACTER_STEPS } from './step-budget.js';

/** Steps of noting the name of a member, and of looking a value up among those that are listed. */
const KEY_STEPS = 16;
const LOOKUP_STEPS = 64;

/**
 * Tells whether values conform to schemas in kind, `enum`, `const`, members and items, which is what decides how a value
 * is read. Bounds, lengths and patterns are left to the tool. Caches its answers as long as it lives.
 */
export class Acceptance {
  private readonly known = new Map<SourceNode, Map<Schema, boolean>>();

  accepts(node: SourceNode, schema: Schema): boolean {
    const { branches } = schema;
    if (branches.length === 1) {
      return this.acceptsIn(node, branches[0]!);
    }
    // Cached, because nested alternatives would otherwise take exponential time.
    const answers = getOrInsert(this.known, node, () => new Map<Schema, boolean>());
    return getOrInsert(answers, schema, () => branches.some((branch) => this.acceptsIn(node, branch)));
  }

  /** Whether a value conforms to one alternative of a schema. */
  acceptsIn(node: SourceNode, branch: Branch): boolean {
    if (!hasAdmittedKind(node, branch) || !isListed(node, branch)) {
      return false;
    }
    switch (node.kind) {
      case 'array':
        return node.items.every((item, index) => this.accepts(item, branch.item(index)));
      case 'object': {
        branch.charge(node.members.length * KEY_STEPS);
        const keys = new Set(node.members.map(({ key }) => key));
        return (
          branch.required.every((key) => keys.has(key)) &&
          node.members.every(
            ({ key, value }) => !branch.forbids(key) && this.accepts(value, branch.property(key)),
          )
        );
      }
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return true;
    }
  }
}

/** Whether a value is one of those that are listed, if any are. */
export function isListed(node: SourceNode, branch: Branch): boolean {
  if (!branch.listed) {
    return true;
  }
  branch.charge(LOOKUP_STEPS + node.text.length * CHARACTER_STEPS);
  return branch.listed.has(node);
}

/** Whether the kind of a value is admitted; a whole number is an integer, too. */
export function hasAdmittedKind(node: SourceNode, branch: Branch): boolean {
  return (
    branch.admits(node.kind) ||
    (node.kind === 'number' && branch.admits('integer') && Number.isInteger(Number(node.text)))
  );
}
