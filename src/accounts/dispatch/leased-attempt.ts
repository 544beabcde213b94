import { withoutSecrets } from '../../upstream/credential-secrets.js';
import { type FlowGate } from '../../upstream/flow-gate.js';
import { type LoginRequiredError } from '../../upstream/upstream.errors.js';
import { type SendContext, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import {
  type AccountVerdict,
  type FailedAttempt,
  type UpstreamVerdict,
  type Verdict,
} from '../failure-policy.js';
import { type Lease } from '../pool/lease.js';
import { type DispatchDependencies } from './dispatch-dependencies.js';
import { type RequestIdentity } from './failures/request-identity.js';
import { type UpstreamPass } from './failures/upstream-breaker.js';
import { type AttemptObserver, UpstreamAttempt } from './upstream-attempt.js';

/** An attempt together with its lease and its pass through the circuit breakers, which it settles and gives back. */
export class LeasedAttempt {
  private readonly attempt: UpstreamAttempt;
  /** Undefined once the breakers know the outcome. */
  private pass: UpstreamPass | undefined;
  private isAccepted = false;

  constructor(
    private readonly dependencies: DispatchDependencies,
    private readonly lease: Lease,
    pass: UpstreamPass,
    private readonly identity: RequestIdentity,
    flow: FlowGate,
    observer: AttemptObserver,
  ) {
    this.pass = pass;
    const { UPSTREAM_FIRST_BYTE_MS, UPSTREAM_IDLE_MS, UPSTREAM_PROGRESS_MS } = dependencies.settings;
    const limits = {
      firstByteMs: UPSTREAM_FIRST_BYTE_MS,
      idleMs: UPSTREAM_IDLE_MS,
      progressMs: UPSTREAM_PROGRESS_MS,
    };
    this.attempt = new UpstreamAttempt(flow, limits, observer);
  }

  /** Whether the upstream has said that its answer is complete. */
  get isDone(): boolean {
    return this.attempt.isDone;
  }

  /** Stage and login, should the attempt fail now. */
  get progress(): FailedAttempt {
    return { stage: this.attempt.stage, isLoginCurrent: this.lease.isCurrent() };
  }

  /** An error of the attempt, without what its account logs in with. */
  withoutSecrets(error: unknown): unknown {
    return withoutSecrets(error, this.lease.account.credentials);
  }

  /** @param session stands for that of the lease */
  send(request: UpstreamRequest, context: SendContext, session = this.lease.session): void {
    this.dependencies.health.countRequest(this.lease.account);
    this.attempt.start(session, request, context);
  }

  /**
   * The upstream took the prompt. What comes of it may take long to see, so the next trial need not wait for that; this one
   * still opens the breaker again if it fails.
   */
  accepted(): void {
    this.lease.accepted();
    if (this.pass && !this.isAccepted) {
      this.isAccepted = true;
      this.dependencies.breaker.undecided(this.pass);
    }
  }

  /** The answer has begun: the account and the upstream work. */
  succeeded(): void {
    this.lease.answered();
    this.applyToBreaker('alive');
  }

  /**
   * Draws the consequences of a failure for account and breaker.
   * @returns milliseconds of the cooldown that the account has got
   */
  failed({ account, upstream }: Verdict): number | undefined {
    const cooldownMs = this.applyToAccount(account);
    this.applyToBreaker(upstream);
    return cooldownMs;
  }

  /** Cancels the upstream's work and gives lease and pass back. */
  release(): void {
    this.attempt.cancel();
    this.applyToBreaker('unknown');
    this.lease.release();
  }

  private applyToAccount(verdict: AccountVerdict): number | undefined {
    const { health } = this.dependencies;
    const { account, model } = this.lease;
    switch (verdict.kind) {
      case 'unchanged':
        break;
      case 'failed':
        health.promptFailed(account);
        break;
      case 'cooldown': {
        const { cooldownMs, cause, isOfModel } = verdict;
        return health.coolDown(account, cooldownMs, cause, isOfModel ? model : undefined);
      }
      case 'model_refused':
        health.modelRefused(account, model);
        break;
      case 'login_lost':
        health.loginLost(account, verdict.error, this.sourceOf(verdict.error));
        break;
      default:
        verdict satisfies never;
    }
    return undefined;
  }

  /** Identity by which a lost login is counted, so that a retry does not count twice. */
  private sourceOf({ isOfConversation }: LoginRequiredError): symbol | string {
    return isOfConversation ? this.identity.conversation : this.identity.request;
  }

  private applyToBreaker(verdict: UpstreamVerdict): void {
    const { breaker, clock, pool } = this.dependencies;
    const { account, model } = this.lease;
    const { pass } = this;
    if (pass === undefined) {
      return;
    }
    this.pass = undefined;
    switch (verdict) {
      case 'alive':
        breaker.succeeded(pass);
        return;
      case 'failed':
      case 'unreachable':
        breaker[verdict](
          pass,
          {
            account: account.id,
            isOnly: !pool.canServe({ model, tried: new Set([account.id]) }),
            // Where no connection can be made, none of the prompt was seen.
            ...(verdict === 'failed' && { conversation: this.identity.conversation }),
          },
          clock.monotonic(),
        );
        return;
      case 'unknown':
        if (!this.isAccepted) {
          breaker.undecided(pass);
        }
        return;
      default:
        verdict satisfies never;
    }
  }
}
