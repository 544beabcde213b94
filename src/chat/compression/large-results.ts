import { getHeapStatistics } from 'node:v8';
import { WorkerClient } from '../../common/threads/worker-client.js';
import { type ToolCallText } from './kit/tool-use.js';
import { type CondensedResult } from './tool-result-compressor.js';

/** Longest wait for the thread by default; a result that takes longer goes upstream as it is. */
const CALL_LIMIT_MS = 10_000;
/** The thread ends when no large result has come for so long. */
const IDLE_MS = 10_000;

/** Of V8's heap, which a thread has as much of, for a character: lists of short cells take up to 64 bytes for one. */
const HEAP_BYTES = 128;

/** Condenses large tool results in a thread of its own, one after the other. */
export class LargeResults {
  // A thread that fills its heap faster than V8 can report it ends the process.
  private readonly maxChars = Math.floor(getHeapStatistics().heap_size_limit / HEAP_BYTES);
  private readonly worker = new WorkerClient(
    new URL('./condensing.worker', import.meta.url),
    undefined,
    IDLE_MS,
  );

  /** @param onFailure called with the reason why a result could not be condensed */
  constructor(
    private readonly onFailure: (error: unknown) => void,
    private readonly limitMs = CALL_LIMIT_MS,
  ) {}

  /** @returns undefined if the thread cannot do it, or not in time. Never rejects. */
  async condense(text: string, tool: ToolCallText): Promise<CondensedResult | undefined> {
    if (text.length > this.maxChars) {
      this.onFailure(new Error(`${text.length} characters do not fit into the memory of the gateway.`));
      return undefined;
    }
    const { name, arguments: json, isOnlyReader } = tool;
    return this.worker
      .callWithin<CondensedResult>(this.limitMs, 'condense', {
        text,
        tool: { name, arguments: json, isOnlyReader },
      })
      .catch((error: unknown) => {
        this.onFailure(error);
        return undefined;
      });
  }

  close(): Promise<void> {
    return this.worker.end();
  }
}
