import { createHash } from 'node:crypto';
import { type ToolCallText } from './kit/tool-use.js';
import { condense, type CondensedResult } from './tool-result-compressor.js';

/** Bytes of condensed results that are kept: those of some hundred long conversations. */
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** What an entry costs beside its text. */
const ENTRY_BYTES = 400;

interface Entry {
  /** Undefined when the result stays as it is; the caller has the text. */
  readonly condensed: CondensedResult | undefined;
  readonly bytes: number;
}

/**
 * Condenses each result once: a conversation brings all its older results with every turn. Remembers the least
 * recently used ones no longer when they are too many. It holds no original, only hashes and condensed forms.
 */
export class CondensedResults {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly maxBytes = DEFAULT_MAX_BYTES) {}

  /** Bytes held, as estimated. */
  get size(): number {
    return this.bytes;
  }

  /** The result condensed before, if it is remembered. */
  recall(text: string, tool: ToolCallText): CondensedResult | undefined {
    const key = keyOf(text, tool);
    const entry = this.entries.get(key);
    if (!entry) {
      return undefined;
    }
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.condensed ?? { text, rules: [] };
  }

  /** Condenses a result and remembers it. */
  condense(text: string, tool: ToolCallText): CondensedResult {
    const result = condense(text, tool);
    const condensed = result.rules.length > 0 ? result : undefined;
    this.put(keyOf(text, tool), { condensed, bytes: ENTRY_BYTES + 2 * (condensed?.text.length ?? 0) });
    return result;
  }

  private put(key: string, entry: Entry): void {
    if (entry.bytes > this.maxBytes) {
      return;
    }
    this.bytes += entry.bytes - (this.entries.get(key)?.bytes ?? 0);
    this.entries.delete(key);
    this.entries.set(key, entry);
    for (const [oldest, { bytes }] of this.entries) {
      if (this.bytes <= this.maxBytes) {
        return;
      }
      this.entries.delete(oldest);
      this.bytes -= bytes;
    }
  }
}

function keyOf(text: string, tool: ToolCallText): string {
  // Lengths part the texts, so that no two different calls hash the same bytes.
  return createHash('sha256')
    .update(`${tool.name.length} ${tool.arguments.length} ${tool.name}${tool.arguments}`)
    .update(text)
    .digest('base64');
}
