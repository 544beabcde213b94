import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { Random } from '../../common/time/random.js';
import { type LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type Account } from './account.js';
import { AccountRegistry } from './account-registry.js';
import { toLoginFailure } from './login-failure.js';

/**
 * Requests, or conversations, that lose a login, without an answer in between, after which the account goes out. More than
 * one: a wall right after a good login may be the prompt's doing, and a site may end all logins twice before an account's
 * turn comes. Few, since sites count logins.
 */
const MAX_LOST_LOGINS = 3;

/**
 * Consequences of what the upstream does to an account: cooldowns, lost logins, counters. No method throws, whatever
 * the state of the store; the new state counts at once in memory.
 */
@Injectable()
export class AccountHealth {
  /** Since the start. */
  sessionsOpened = 0;
  private readonly failuresByFault = new Map<string, number>();
  private readonly logger = new Logger(AccountHealth.name);

  constructor(
    private readonly registry: AccountRegistry,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Logins lost or failed since the start, by fault. */
  get loginFailures(): ReadonlyMap<string, number> {
    return this.failuresByFault;
  }

  /**
   * Starts or prolongs the cooldown after a rate limit.
   * @param retryAfterMs the upstream's own time; RATE_LIMIT_COOLDOWN_MS without one
   * @param cause shown to the operator
   * @param model the one that is limited; undefined if the account is
   * @returns milliseconds until it is over; undefined if there was one already that lasts longer
   */
  coolDown(
    account: Account,
    retryAfterMs: number | undefined,
    cause: string,
    model?: string,
  ): number | undefined {
    account.count('rateLimits');
    this.registry.saveCounts(account);
    const { RATE_LIMIT_COOLDOWN_MS } = this.settings;
    const durationMs = retryAfterMs ?? RATE_LIMIT_COOLDOWN_MS;
    const now = this.clock.monotonic();
    const scope = { model, maxGuessMs: RATE_LIMIT_COOLDOWN_MS };
    if (!account.cooldown.extend(durationMs, cause, now, this.random.next(), scope)) {
      return undefined;
    }
    this.registry.saveCooldown(account);
    const { model: limitedModel } = account.cooldown;
    this.logger.warn({ account: account.name, cause, durationMs, limitedModel }, 'account cools down');
    this.registry.announce(account, 'cooling');
    return Math.round(account.cooldown.remainingMs(now));
  }

  /** The probe after a cooldown was answered: the ramp begins, unless a new cooldown has overtaken the probe. */
  probeAnswered(account: Account, probe: number): void {
    const now = this.clock.monotonic();
    const whole = this.settings.POOL_MAX_SESSIONS_PER_ACCOUNT;
    if (account.cooldown.probeAnswered(probe, now, account.tenure.partOf(whole), whole)) {
      this.registry.saveCooldown(account);
      this.registry.announce(account, 'cleared');
    }
  }

  /**
   * The upstream no longer accepts the account's login. After an expired login the driver logs in anew with the next
   * session; after the third loss in a row, or any other failure, the account goes out of use.
   * @param source the request, or the digest of the conversation, that met the wall; one of its own for each failed opening
   */
  loginLost(account: Account, error: LoginRequiredError, source: symbol | string = Symbol('opening')): void {
    account.loginsLostBy.add(source);
    this.failuresByFault.set(error.fault, (this.failuresByFault.get(error.fault) ?? 0) + 1);
    if (error.fault === 'login_wall' && account.loginsLostBy.size < MAX_LOST_LOGINS) {
      this.registry.announce(account, 'logged_out');
    } else {
      this.requireLogin(account, error);
    }
  }

  /** Takes the account out of use until it is logged in again; keeps the evidence without secrets. */
  requireLogin(account: Account, error: LoginRequiredError): void {
    const { fault, evidence } = error;
    account.loginFailure = toLoginFailure(error, account.credentials, this.clock.now());
    this.registry.saveLoginFailure(account, evidence?.screenshot);
    this.logger.warn({ account: account.name, fault }, 'account must be logged in again');
    this.registry.announce(account, 'closed');
  }

  /** A person has logged the account in, and the driver has kept the login. */
  loggedInByHand(account: Account): void {
    account.loginFailure = undefined;
    account.loginsLostBy.clear();
    account.rest.clear();
    account.automaticLogins = 0;
    this.registry.saveLoginFailure(account, undefined);
    this.logger.log({ account: account.name }, 'account was logged in by hand');
    this.registry.announce(account, 'opened');
  }

  /**
   * A session was opened: the driver is logged in.
   * @param isProven whether the upstream has accepted that
   */
  loggedIn(account: Account, isProven: boolean): void {
    this.sessionsOpened += 1;
    if (isProven) {
      account.isProven = true;
    }
    account.lastLoginAt = this.clock.now();
    this.registry.saveCounts(account);
  }

  /** The present login was answered, so that failures, refusals and lost logins before that no longer count. */
  loginAnswered(account: Account, model: string): void {
    account.isProven = true;
    account.rest.clear();
    if (account.refusals.delete(model)) {
      // The refusals were passing, or not about access. The others' would keep all requests for the model at this account.
      this.registry.list().forEach(({ refusals }) => refusals.delete(model));
    }
    account.loginsLostBy.clear();
    account.automaticLogins = 0;
  }

  /** The upstream refused the account the model; others are asked for it meanwhile. */
  modelRefused(account: Account, model: string): void {
    if (account.refusals.add(model, this.clock.monotonic())) {
      this.logger.warn({ account: account.name, model }, 'the upstream refuses an account a model');
    }
  }

  countRequest(account: Account): void {
    account.count('requests');
    account.lastUsedAt = this.clock.now();
    this.registry.saveCounts(account);
  }

  /** A prompt failed at the account, which rests until its back-off is over or it answers. */
  promptFailed(account: Account): void {
    account.rest.failed(this.clock.monotonic(), this.random.next());
    account.count('failures');
    this.registry.saveCounts(account);
  }
}
