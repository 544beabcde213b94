import { beatPauseMs, beatRestMs, MIN_BEAT_MS } from '../../src/cluster/beat-times.js';
import { TenureKeeper } from '../../src/cluster/tenure-keeper.js';
import { type ClockReading } from '../../src/common/time/clock.js';
import { type ModelEngine } from './model-engine.js';

const SESSIONS_PER_ACCOUNT = 4;
const MAX_DEMAND = 8;

/** One gateway: the real decisions about tenures, with a model of its requests. */
export class ModelNode {
  readonly keeper: TenureKeeper;
  isAlive = true;
  waiting = 0;
  /** Running requests by account. */
  readonly leases = new Map<string, number>();
  private nextBeatAt: number;
  private lastBeatAt = -Infinity;
  private isFailing = false;

  constructor(
    readonly id: string,
    private readonly engine: ModelEngine,
    private readonly nodeLeaseMs: number,
  ) {
    this.keeper = new TenureKeeper(nodeLeaseMs);
    this.nextBeatAt = engine.now + Math.random() * beatPauseMs(nodeLeaseMs);
    this.keeper.needs = {
      sessionLimit: SESSIONS_PER_ACCOUNT,
      canServe: () => true,
      isLoggingIn: () => false,
      sessionsNeeded: (account) => (this.waiting > 0 ? Infinity : (this.leases.get(account) ?? 0)),
      isWithinPart: (account) => (this.leases.get(account) ?? 0) === 0,
      demand: { shares: 0, probes: [] },
      unfit: [],
    };
  }

  get reading(): ClockReading {
    return { monotonic: this.engine.now, wall: this.engine.now };
  }

  get held(): number {
    return this.isAlive ? this.keeper.book.usableCount(this.reading) : 0;
  }

  nudge(): void {
    this.nextBeatAt = Math.min(this.nextBeatAt, Math.max(this.engine.now, this.lastBeatAt + MIN_BEAT_MS));
  }

  /** Lets time pass: requests come and end, and beats are sent when they are due. */
  step(arrivals: number, endChance: number): void {
    if (!this.isAlive) {
      return;
    }
    for (const [account, count] of this.leases) {
      let left = count;
      for (let at = 0; at < count; at++) {
        left -= Math.random() < endChance ? 1 : 0;
      }
      this.leases.set(account, left);
    }
    this.waiting += arrivals;
    this.serve();
    const shares = Math.min(MAX_DEMAND, Math.ceil(this.waiting / SESSIONS_PER_ACCOUNT));
    (this.keeper.needs as { demand: object }).demand = { shares, probes: [] };
    if (!this.isFailing && this.keeper.isUrgent(() => this.reading)) {
      this.nudge();
    }
    if (this.engine.now >= this.nextBeatAt) {
      this.beat();
    }
  }

  private serve(): void {
    const usable = this.waiting > 0 ? this.keeper.book.usable(this.reading) : [];
    for (const { account } of usable) {
      const running = this.leases.get(account) ?? 0;
      const taken = Math.min(this.waiting, SESSIONS_PER_ACCOUNT - running);
      this.leases.set(account, running + taken);
      this.waiting -= taken;
    }
  }

  private beat(): void {
    this.lastBeatAt = this.engine.now;
    let nextEndMs: number | undefined;
    try {
      this.round();
      if (this.keeper.isShort(this.reading)) {
        this.round();
      }
      this.isFailing = false;
      nextEndMs = this.keeper.known.nextEndMs;
    } catch {
      this.keeper.beatFailed(this.reading);
      this.isFailing = true;
    }
    const restMs = beatRestMs(this.nodeLeaseMs, Math.random(), nextEndMs);
    this.nextBeatAt = this.engine.now + Math.max(MIN_BEAT_MS, restMs);
  }

  private round(): void {
    const { keeper, id } = this;
    keeper.giveWay(this.reading);
    keeper.release();
    const sent = this.reading;
    keeper.beatAnswered(this.engine.beat({ node: id, ...keeper.nextBeat(sent) }), sent, this.reading);
    keeper.giveWay(this.reading);
    keeper.release();
    const asking = keeper.asking(this.reading);
    if (asking) {
      this.engine.ask({ node: id, ...asking });
    }
  }
}
