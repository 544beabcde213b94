import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  filter,
  firstValueFrom,
  fromEvent,
  type Observable,
  type Subscription,
  takeUntil,
  throwError,
  timeout,
} from 'rxjs';
import { Tenures } from '../../cluster/tenures.js';
import { GatewayError, InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type PageInput, type PageVisitor } from '../../common/live-page/page-visitor.js';
import { Clock } from '../../common/time/clock.js';
import { MINUTE_MS } from '../../common/time/durations.js';
import { withoutSecrets } from '../../upstream/credential-secrets.js';
import { UpstreamDriver } from '../../upstream/upstream-driver.js';
import { SessionPool } from '../pool/session-pool.js';
import { type Account } from '../registry/account.js';
import { type AccountChange } from '../registry/account-changes.js';
import { AccountHealth } from '../registry/account-health.js';
import { AccountRegistry } from '../registry/account-registry.js';
import { type Act, type HandOver, type HandOverEnd, HandOverEnding } from './hand-over.js';

/** Time without input after which a login by hand ends. */
export const HAND_OVER_IDLE_MS = 5 * MINUTE_MS;

/** Time for another gateway to give the account up. */
const TENURE_MS = 10_000;

/** Changes that make a login by hand pointless or dangerous. */
const ENDING: readonly AccountChange['kind'][] = ['opened', 'closed', 'logged_out'];

interface RunningHandOver {
  readonly id: string;
  readonly accountId: string;
  readonly control: AbortController;
  readonly idle: NodeJS.Timeout;
  act?: Act;
}

/**
 * Lets an operator log in an account that has met a wall, on a live view of the page. One at a time. Nothing of what is
 * shown or typed is kept; the driver keeps the login, as after one of its own.
 */
@Injectable()
export class LoginHandOver implements OnModuleDestroy {
  private running: RunningHandOver | undefined;

  constructor(
    private readonly registry: AccountRegistry,
    private readonly health: AccountHealth,
    private readonly pool: SessionPool,
    private readonly driver: UpstreamDriver,
    private readonly tenures: Tenures,
    private readonly clock: Clock,
  ) {}

  /** Whether the provider's accounts can be logged in by hand. */
  get isPossible(): boolean {
    return this.driver.takesVisitors;
  }

  /**
   * Begins a login by hand.
   * @param signal aborted when the operator leaves
   * @throws AccountNotFoundError; InvalidRequestError if it is not possible now, with the reason
   */
  begin(accountId: string, visitor: PageVisitor, signal: AbortSignal): HandOver {
    const account = this.registry.get(accountId);
    this.check(account);
    const control = new AbortController();
    const idle = setTimeout(() => control.abort(new HandOverEnding('idle')), HAND_OVER_IDLE_MS);
    const id = randomBytes(18).toString('base64url');
    const running: RunningHandOver = { id, accountId, control, idle };
    this.running = running;
    const onLeft = (): void => control.abort(new HandOverEnding('left'));
    if (signal.aborted) {
      onLeft();
    }
    signal.addEventListener('abort', onLeft, { once: true });
    const ended = this.run(account, running, visitor).finally(() =>
      signal.removeEventListener('abort', onLeft),
    );
    return { id, account: account.name, ended };
  }

  /**
   * Acts in the page of a running login by hand; what comes before the page is handed over is dropped.
   * @throws GatewayError if it has ended, or is another account's
   */
  async act(accountId: string, id: string, inputs: readonly PageInput[]): Promise<void> {
    const { running } = this;
    if (running?.id !== id || running.accountId !== accountId) {
      throw new GatewayError('not_found', 'This login by hand has ended.');
    }
    running.idle.refresh();
    await running.act?.(inputs);
  }

  onModuleDestroy(): void {
    this.running?.control.abort(new HandOverEnding('stopped'));
  }

  private check(account: Account): void {
    const { name } = account;
    if (!this.isPossible) {
      throw new InvalidRequestError('The accounts of this provider have no login page.');
    }
    if (this.running) {
      throw new InvalidRequestError(
        'An operator is already logging in an account by hand: only one at a time.',
      );
    }
    if (!account.needsLogin) {
      throw new InvalidRequestError(`'${name}' needs no login.`);
    }
    if (!account.tenure.isHeld && !account.tenure.mayCome) {
      throw new InvalidRequestError(
        `'${name}' cannot be had from another gateway now: try again in a moment.`,
      );
    }
    if (this.pool.sessionsOf(account) > 0) {
      throw new InvalidRequestError(`'${name}' still answers earlier requests: try again in a moment.`);
    }
  }

  private async run(account: Account, running: RunningHandOver, visitor: PageVisitor): Promise<HandOverEnd> {
    const began = this.clock.monotonic();
    account.isHandedOver = true;
    this.registry.announce(account, 'handed_over');
    const giveUp = this.tenures.want(account.id);
    const end = await this.logIn(account, running, visitor);
    giveUp();
    clearTimeout(running.idle);
    this.running = undefined;
    account.isHandedOver = false;
    if (end.outcome === 'logged_in') {
      this.health.loggedInByHand(account);
    } else if (this.registry.has(account)) {
      this.registry.announce(account, account.isUsable ? 'opened' : 'closed');
    }
    return { ...end, durationMs: Math.round(this.clock.monotonic() - began) };
  }

  private async logIn(
    account: Account,
    running: RunningHandOver,
    visitor: PageVisitor,
  ): Promise<Omit<HandOverEnd, 'durationMs'>> {
    const { control } = running;
    const { signal } = control;
    let changes: Subscription | undefined;
    try {
      if (!account.tenure.isHeld) {
        await this.tenureHeld(account, signal);
      }
      changes = this.changesOf(account, ENDING).subscribe(() => control.abort(new HandOverEnding('changed')));
      await this.driver.logInByHand(
        this.registry.toUpstream(account),
        {
          show: (frame) => visitor.show(frame),
          handOver: (act) => {
            running.act = act;
            visitor.handOver(act);
          },
        },
        signal,
      );
      signal.throwIfAborted();
      return { outcome: 'logged_in' };
    } catch (error) {
      if (signal.reason instanceof HandOverEnding) {
        return { outcome: signal.reason.outcome };
      }
      const shown = withoutSecrets(error, account.credentials);
      return { outcome: 'failed', message: shown instanceof Error ? shown.message : String(shown) };
    } finally {
      changes?.unsubscribe();
    }
  }

  /** Waits until another gateway has given the account up, and this one knows what became of it there. */
  private async tenureHeld(account: Account, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const notGiven = () =>
      new Error(
        `'${account.name}' is used by another gateway, which did not give it up: try again in a moment.`,
      );
    const granted = this.changesOf(account).pipe(
      filter(() => account.tenure.isHeld),
      timeout({ first: TENURE_MS, with: () => throwError(notGiven) }),
      takeUntil(fromEvent(signal, 'abort')),
    );
    await firstValueFrom(granted, { defaultValue: undefined });
    signal.throwIfAborted();
    if (account.loginFailure === undefined) {
      throw new Error(`'${account.name}' needs no login any more.`);
    }
  }

  private changesOf(account: Account, kinds?: readonly AccountChange['kind'][]): Observable<AccountChange> {
    return this.registry.changes$.pipe(
      filter((change) => change.account === account && (kinds?.includes(change.kind) ?? true)),
    );
  }
}
