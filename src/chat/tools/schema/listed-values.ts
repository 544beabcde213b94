import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { isStructure } from '../../../common/text/json-object.js';
import { canonicalJson } from '../json/canonical-json.js';
import { type SourceNode } from './source-node.js';

/** Read once for all lists that a value is looked up in: alternatives may have dozens. */
const canonicalByNode = new WeakMap<SourceNode, string>();

/** The values that `enum` and `const` list. They are looked up: callers list up to 100,000, and check as many. */
export class ListedValues {
  private readonly scalars: ReadonlySet<unknown>;
  /** Objects and arrays as canonical JSON. */
  private readonly structures: ReadonlySet<string>;
  private spellings: Spellings | undefined;

  constructor(private readonly values: readonly unknown[]) {
    this.scalars = new Set(values.filter((value) => !isStructure(value)));
    this.structures = new Set(values.filter(isStructure).map(canonicalJson));
  }

  has(node: SourceNode): boolean {
    return node.kind === 'array' || node.kind === 'object'
      ? this.structures.size > 0 && this.structures.has(canonicalText(node))
      : this.scalars.has(JSON.parse(node.text));
  }

  /** JSON of the first value with this text: the characters of a string, or the JSON text of any other value. */
  spelled(text: string): string | undefined {
    return this.known.exact.get(text);
  }

  /** JSON of the only value with this text in letters of any case. */
  resembling(text: string): string | undefined {
    return this.known.folded.get(foldCase(text));
  }

  private get known(): Spellings {
    return (this.spellings ??= spellingsOf(this.values));
  }
}

interface Spellings {
  readonly exact: ReadonlyMap<string, string>;
  /** Undefined for a text that several values have. */
  readonly folded: ReadonlyMap<string, string | undefined>;
}

function spellingsOf(values: readonly unknown[]): Spellings {
  const exact = new Map<string, string>();
  const folded = new Map<string, string | undefined>();
  for (const value of values) {
    const json = JSON.stringify(value);
    const text = typeof value === 'string' ? value : json;
    if (!exact.has(text)) {
      exact.set(text, json);
    }
    const key = foldCase(text);
    folded.set(key, folded.has(key) ? undefined : json);
  }
  return { exact, folded };
}

function foldCase(text: string): string {
  return text.trim().toLowerCase();
}

function canonicalText(node: SourceNode): string {
  return getOrInsert(canonicalByNode, node, () => canonicalJson(JSON.parse(node.text)));
}
