import { type UpstreamSession } from '../../../upstream/upstream-driver.js';

/** State in the life of a slot: `opening` → `idle` ⇄ `leased` → `retired`. Each may become `retired`, which is final. */
export type SlotState = 'opening' | 'idle' | 'leased' | 'retired';

const NEXT: Readonly<Record<SlotState, readonly SlotState[]>> = {
  opening: ['idle', 'retired'],
  idle: ['leased', 'retired'],
  leased: ['idle', 'retired'],
  retired: [],
};

/** A session with its name in logs, which is unique in the process. */
export interface NamedSession {
  readonly id: string;
  readonly session: UpstreamSession;
}

/** One place for a session of an account. Only its `AccountSlots` moves it from state to state. */
export class Slot {
  private current: SlotState = 'opening';
  private named: NamedSession | undefined;
  private idleFrom = 0;
  private isUsed = false;

  /** @param generation number of the login that the session belongs to */
  constructor(readonly generation: number) {}

  get state(): SlotState {
    return this.current;
  }

  /** Undefined until the session has been opened. */
  get opened(): NamedSession | undefined {
    return this.named;
  }

  /** Time at which the slot last became idle, in monotonic milliseconds. */
  get idleSince(): number {
    return this.idleFrom;
  }

  /** Whether it has been leased. */
  get wasLeased(): boolean {
    return this.isUsed;
  }

  /** Takes up the session that was opened for the slot. */
  fill(named: NamedSession): void {
    this.named = named;
  }

  rest(idleSince: number): void {
    this.become('idle');
    this.idleFrom = idleSince;
  }

  lease(): void {
    this.become('leased');
    this.isUsed = true;
  }

  retire(): void {
    this.become('retired');
  }

  private become(next: SlotState): void {
    if (!NEXT[this.current].includes(next)) {
      throw new Error(`A slot that is ${this.current} cannot become ${next}.`);
    }
    this.current = next;
  }
}
