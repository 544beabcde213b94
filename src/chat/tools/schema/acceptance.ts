import { isDeepStrictEqual } from 'node:util';
import { type Branch, type Schema } from './schema-document.js';
import { type SourceNode } from './source-node.js';

/**
 * Whether values conform to schemas, as far as kinds, `enum`, `const`, members and items go: what decides how a value
 * is read. Bounds, lengths and patterns are the tool's to check. Remembers its answers for as long as it lives.
 */
export class Acceptance {
  private readonly known = new Map<SourceNode, Map<Schema, boolean>>();

  accepts(node: SourceNode, schema: Schema): boolean {
    const { branches } = schema;
    if (branches.length === 1) {
      return this.acceptsIn(node, branches[0]!);
    }
    // Without a memory, nested alternatives would take exponential time.
    let answers = this.known.get(node);
    if (!answers) {
      this.known.set(node, (answers = new Map<Schema, boolean>()));
    }
    let answer = answers.get(schema);
    if (answer === undefined) {
      answer = branches.some((branch) => this.acceptsIn(node, branch));
      answers.set(schema, answer);
    }
    return answer;
  }

  acceptsIn(node: SourceNode, branch: Branch): boolean {
    if (!hasAdmittedKind(node, branch) || !hasAdmittedValue(node, branch)) {
      return false;
    }
    switch (node.kind) {
      case 'array':
        return node.items.every((item, index) => this.accepts(item, branch.item(index)));
      case 'object': {
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

export function hasAdmittedKind(node: SourceNode, branch: Branch): boolean {
  return (
    branch.admits(node.kind) ||
    (node.kind === 'number' && branch.admits('integer') && Number.isInteger(Number(node.text)))
  );
}

export function hasAdmittedValue(node: SourceNode, { values }: Branch): boolean {
  return values?.some((value) => isDeepStrictEqual(JSON.parse(node.text), value)) ?? true;
}
