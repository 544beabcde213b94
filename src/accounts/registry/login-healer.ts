import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { type Account } from './account.js';
import { AccountRegistry } from './account-registry.js';

/** Waits before the first, the second and every further login; few, since sites count logins. */
const WAITS_MS = [60_000, 300_000, 1_800_000] as const;

/** Failures that may pass. Wrong credentials stay wrong, and a challenge wants a person. */
const PASSING: readonly string[] = ['login_wall', 'login_failed'];

/** Logs accounts in again that have lost their login, until an answer proves the login or the operator steps in. */
@Injectable()
export class LoginHealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LoginHealer.name);
  private readonly timers = new Map<Account, NodeJS.Timeout>();
  private isStopped = false;

  constructor(
    private readonly registry: AccountRegistry,
    private readonly clock: Clock,
  ) {
    registry.changes$.subscribe(({ account }) => this.review(account));
  }

  /** Accounts that had lost their login before the start are healed, too. */
  onApplicationBootstrap(): void {
    this.registry.list().forEach((account) => this.review(account));
  }

  beforeApplicationShutdown(): void {
    this.isStopped = true;
    [...this.timers.keys()].forEach((account) => this.cancel(account));
  }

  private review(account: Account): void {
    const { needsLogin, loginFailure, isHandedOver, tenure } = account;
    const mayHeal =
      needsLogin &&
      !isHandedOver &&
      tenure.isHeld &&
      loginFailure !== undefined &&
      PASSING.includes(loginFailure.fault);
    if (!mayHeal || this.isStopped || !this.registry.has(account)) {
      this.cancel(account);
    } else if (!this.timers.has(account)) {
      this.schedule(account);
    }
  }

  private schedule(account: Account): void {
    const waitMs = WAITS_MS[Math.min(account.automaticLogins, WAITS_MS.length - 1)]!;
    account.nextLoginAt = this.clock.now() + waitMs;
    this.timers.set(
      account,
      setTimeout(() => void this.login(account), waitMs),
    );
  }

  private cancel(account: Account): void {
    clearTimeout(this.timers.get(account));
    this.timers.delete(account);
    account.nextLoginAt = undefined;
  }

  private async login(account: Account): Promise<void> {
    this.cancel(account);
    account.automaticLogins += 1;
    try {
      await this.registry.forgetLogin(account);
    } catch (error) {
      this.logger.error(error, `the lost login of ${account.name} cannot be removed from the store`);
      // No site was asked.
      account.automaticLogins -= 1;
      this.review(account);
      return;
    }
    this.logger.log({ account: account.name, login: account.automaticLogins }, 'account logs in again');
    this.registry.announceReopened(account);
  }
}
