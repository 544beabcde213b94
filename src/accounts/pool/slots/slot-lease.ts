import { type UpstreamSession } from '../../../upstream/upstream-driver.js';
import { type Account } from '../../registry/account.js';
import { type AccountHealth } from '../../registry/account-health.js';
import { type ConsideredAccount } from '../account-selection.js';
import { type Lease } from '../lease.js';
import { type AccountSlots } from './account-slots.js';
import { type NamedSession, type Slot } from './slot.js';

/** What is lent, and to which request. */
export interface LentSlot {
  readonly slots: AccountSlots;
  readonly slot: Slot;
  /** That of the slot. */
  readonly opened: NamedSession;
  /** See `Lease`. */
  readonly model: string;
  /** See `Lease`. */
  readonly considered: readonly ConsideredAccount[];
}

/** The lease of one slot, which may be the probe of an account after its cooldown. */
export class SlotLease implements Lease {
  readonly model: string;
  readonly considered: readonly ConsideredAccount[];
  readonly account: Account;
  readonly sessionId: string;
  readonly session: UpstreamSession;
  readonly fence: string | undefined;
  private readonly probe: number | undefined;
  private isHeld = true;
  private hasArrived = false;

  /** @param onRelease called once, when the lease ends */
  constructor(
    private readonly lent: LentSlot,
    private readonly health: AccountHealth,
    private readonly onRelease: () => void,
  ) {
    const { slots, opened, model, considered } = lent;
    this.model = model;
    this.considered = considered;
    this.account = slots.account;
    this.sessionId = opened.id;
    this.session = opened.session;
    this.fence = slots.account.tenure.nextFence();
    this.probe = slots.account.cooldown.leaseStarted(model);
  }

  mayBegin(): boolean {
    return this.account.tenure.honours(this.fence);
  }

  isCurrent(): boolean {
    return this.lent.slots.isCurrent(this.lent.slot) && this.mayBegin();
  }

  accepted(): void {
    if (this.session.tellsLimitsFirst) {
      this.probeSucceeded();
    }
  }

  answered(): void {
    this.arrived();
    if (this.isCurrent()) {
      this.health.loginAnswered(this.account, this.model);
    }
    this.probeSucceeded();
  }

  release(): void {
    if (!this.isHeld) {
      return;
    }
    this.isHeld = false;
    this.arrived();
    if (this.probe !== undefined) {
      this.account.cooldown.probeEnded(this.probe);
    }
    this.onRelease();
  }

  private probeSucceeded(): void {
    if (this.probe !== undefined) {
      this.health.probeAnswered(this.account, this.probe);
    }
  }

  private arrived(): void {
    if (!this.hasArrived) {
      this.hasArrived = true;
      this.account.tenure.arrived(this.fence);
    }
  }
}
