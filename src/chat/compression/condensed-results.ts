import { createHash } from 'node:crypto';
import { type ToolCallText } from './kit/tool-use.js';
import { LargeResults } from './large-results.js';
import { condense, type CondensedResult } from './tool-result-compressor.js';

/** Default size of the cache in bytes: the results of some hundred long conversations. */
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Estimated bytes of an entry beside its text: key, objects and their place in the map. */
const ENTRY_BYTES = 400;

interface Entry {
  /** Undefined if the result must not change; the caller has the text. */
  readonly condensed: CondensedResult | undefined;
  readonly bytes: number;
}

/** Options of `CondensedResults`. */
export interface CondensedResultsOptions {
  /** Most bytes that are kept, as estimated; see `DEFAULT_MAX_BYTES`. */
  readonly maxBytes?: number;
  /** Called with the reason why a large result could not be condensed. */
  readonly onFailure?: (error: unknown) => void;
  /** Longest wait for a large result, in milliseconds; see `LargeResults`. */
  readonly limitMs?: number;
}

/**
 * Cache of condensed results: a conversation brings all its older results with every turn. Evicts the least recently
 * used entries above the byte limit. Holds no originals, only hashes and condensed forms.
 */
export class CondensedResults {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;
  private readonly maxBytes: number;
  private readonly large: LargeResults;

  constructor(options: CondensedResultsOptions = {}) {
    const { maxBytes = DEFAULT_MAX_BYTES, onFailure = () => undefined, limitMs } = options;
    this.maxBytes = maxBytes;
    this.large = new LargeResults(onFailure, limitMs);
  }

  /** Estimated size of the cache in bytes. */
  get size(): number {
    return this.bytes;
  }

  /** The condensed result from the cache; undefined if it is not there. */
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

  /** Condenses a result and puts it into the cache. */
  condense(text: string, tool: ToolCallText): CondensedResult {
    return this.keep(condense(text, tool), text, tool);
  }

  /** Like `condense`, in another thread; a result that is not condensed there in time stays as it is, this time. */
  async condenseLarge(text: string, tool: ToolCallText): Promise<CondensedResult> {
    const result = await this.large.condense(text, tool);
    return result ? this.keep(result, text, tool) : { text, rules: [] };
  }

  /** Ends the thread of large results. */
  close(): Promise<void> {
    return this.large.close();
  }

  /** Called by Nest at the end. */
  onModuleDestroy(): Promise<void> {
    return this.close();
  }

  private keep(result: CondensedResult, text: string, tool: ToolCallText): CondensedResult {
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
  // The lengths mark where each text ends, so that no two different calls hash the same bytes.
  return createHash('sha256')
    .update(
      `${tool.isOnlyReader ?? false} ${tool.name.length} ${tool.arguments.length} ${tool.name}${tool.arguments}`,
    )
    .update(text)
    .digest('base64');
}
