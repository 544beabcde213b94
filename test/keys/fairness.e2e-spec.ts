import { describe, expect, it } from '@jest/globals';
import { KeyedGateway } from '../support/gateway/keyed-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/** Requests of one key that wait at all times; one more is served. */
const CROWD = 99;
/** Requests of the other key, one after the other. */
const SMALL = 20;

/** An upstream that serves one request at a time, each answer only when it is let go. */
class Turns {
  private readonly gates: (() => void)[] = [];
  private isOpen = false;

  constructor(private readonly keyed: KeyedGateway) {
    keyed.gateway.stub.answerWith(async (reply) => {
      if (!this.isOpen) {
        await new Promise<void>((resolve) => this.gates.push(resolve));
      }
      await answer({ pieces: ['Hello.'] })(reply);
    });
  }

  /** Whose request is being served. */
  get current(): string | undefined {
    return this.keyed.gateway.stub.requests.at(-1)?.body.messages?.at(-1)?.content;
  }

  /** Has the request under way answered, and waits until the next one is under way. */
  async next(): Promise<void> {
    const { requests } = this.keyed.gateway.stub;
    const served = requests.length;
    await eventually(PATIENCE_MS, () => expect(this.gates).toHaveLength(1));
    this.gates.shift()?.();
    await eventually(PATIENCE_MS, () => expect(requests).toHaveLength(served + 1));
  }

  /** Answers everything from now on. */
  open(): void {
    this.isOpen = true;
    this.gates.splice(0).forEach((letGo) => letGo());
  }
}

/** The value that so large a share of all is not above. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

describe('the queue of a full pool', () => {
  it('serves each request of a key after two turns at most, beside 99 waiting ones of another', async () => {
    const keyed = await KeyedGateway.start({
      POOL_MAX_SESSIONS: 1,
      POOL_MAX_SESSIONS_PER_ACCOUNT: 1,
      POOL_QUEUE_LIMIT: 2 * CROWD,
      POOL_ACQUIRE_TIMEOUT_MS: 10 * PATIENCE_MS,
    });
    try {
      const [many, one] = [await keyed.make('many'), await keyed.make('one')];
      const turns = new Turns(keyed);
      const ask = (key: string, content: string): Promise<unknown> =>
        keyed.complete(key, { messages: [{ role: 'user', content }] });
      const waiting = (count: number): Promise<void> =>
        eventually(PATIENCE_MS, () => expect(keyed.gateway.pool.stats().waiting).toBe(count));
      let isOver = false;
      const askOn = async (): Promise<void> => {
        while (!isOver) {
          await ask(many, 'many');
        }
      };
      const crowd = Array.from({ length: CROWD + 1 }, askOn);
      const waited: number[] = [];
      for (let index = 0; index < SMALL; index++) {
        await waiting(CROWD);
        const answered = ask(one, 'one');
        await waiting(CROWD + 1);
        let count = 0;
        for (; turns.current !== 'one' && count < CROWD; count++) {
          await turns.next();
        }
        waited.push(count);
        await turns.next();
        await answered;
      }
      isOver = true;
      turns.open();
      await Promise.all(crowd);
      expect(quantile(waited, 0.95)).toBeLessThanOrEqual(2);
      report(keyed, waited);
    } finally {
      await keyed.close();
    }
  });
});

function report(keyed: KeyedGateway, turns: readonly number[]): void {
  const waits = ['many', 'one'].map((name) => {
    const times = keyed.gateway.entries.filter(({ key }) => key === name).map(({ queuedMs = 0 }) => queuedMs);
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    return `${name} (${times.length} requests) p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;
  });
  process.stdout.write(`waited: ${waits.join('; ')}; one: p95 ${quantile(turns, 0.95)} turns\n`);
}
