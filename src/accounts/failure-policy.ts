import { GatewayError } from '../common/errors/gateway.errors.js';
import {
  LocalResourceError,
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../upstream/upstream.errors.js';

/** Circumstances of a failed attempt. */
export interface FailedAttempt {
  /**
   * Last stage that the attempt reached. `opening`: no session could be opened. `sent`: the prompt is on its way.
   * `accepted`: the upstream took the prompt. `answering`: the caller has a part of the answer.
   */
  readonly stage: 'opening' | 'sent' | 'accepted' | 'answering';
  /** False if the account has logged in anew since the session was opened. */
  readonly isLoginCurrent: boolean;
}

/** No session could be opened with the present login. */
export const FAILED_OPENING: FailedAttempt = { stage: 'opening', isLoginCurrent: true };

/** Consequence for the account of the attempt. */
export type AccountVerdict =
  | { readonly kind: 'unchanged' }
  /** Counts one failure; the account rests. */
  | { readonly kind: 'failed' }
  /** Cools down, if only for one model; without a time of the upstream's own for RATE_LIMIT_COOLDOWN_MS. */
  | {
      readonly kind: 'cooldown';
      readonly cooldownMs: number | undefined;
      readonly cause: string;
      readonly isOfModel: boolean;
    }
  /** Is refused the model; others may have it. */
  | { readonly kind: 'model_refused' }
  /** Lost its login; the error carries reason and evidence. */
  | { readonly kind: 'login_lost'; readonly error: LoginRequiredError };

/**
 * Consequence for the circuit breakers. `failed`: at a prompt, which may be the fault of its model alone; `unreachable`: at
 * all of them; `unknown` if the failure says nothing about the upstream.
 */
export type UpstreamVerdict = 'alive' | 'failed' | 'unreachable' | 'unknown';

/** Whether the prompt may be sent again, to another account where one can serve. */
export type RetryVerdict =
  | { readonly kind: 'never' }
  | { readonly kind: 'at_once' }
  /** At once, if there is an account that was not tried. */
  | { readonly kind: 'elsewhere' }
  /** At once, without what the upstream has refused of its form; such attempts are not counted. */
  | { readonly kind: 'in_other_form' }
  | {
      readonly kind: 'after_backoff';
      /** Whether it is paid for from the retry budget. */
      readonly isBudgeted: boolean;
      /** The upstream's own time in milliseconds, if it gave one. */
      readonly notBeforeMs?: number | undefined;
    };

/** Everything that follows from the failure of one attempt. */
export interface Verdict {
  readonly account: AccountVerdict;
  readonly upstream: UpstreamVerdict;
  readonly retry: RetryVerdict;
}

const UNCHANGED: AccountVerdict = { kind: 'unchanged' };
const NEVER: RetryVerdict = { kind: 'never' };
const AT_ONCE: RetryVerdict = { kind: 'at_once' };

/**
 * Judges a failure by its class: what follows for the account, the upstream and a retry. What the caller is told is for
 * `toCallerError` to say.
 *
 * A prompt that the upstream has accepted is sent again only after an explicit refusal, since the upstream may be
 * working on it. What happens to a session of an earlier login says nothing about the account or the upstream.
 * After a failed opening the pool backs off (`SessionInventory`), and draws the consequences for the account.
 */
export function judgeFailure(error: unknown, attempt: FailedAttempt): Verdict {
  const verdict = judgeError(error, attempt);
  switch (attempt.stage) {
    case 'opening':
      return { account: ofOpening(verdict.account), upstream: 'unknown', retry: unbudgeted(verdict.retry) };
    case 'sent':
    case 'accepted':
      return verdict;
    case 'answering':
      return { ...verdict, retry: NEVER };
  }
}

function judgeError(error: unknown, { stage, isLoginCurrent }: FailedAttempt): Verdict {
  const ifCurrent = (verdict: AccountVerdict) => (isLoginCurrent ? verdict : UNCHANGED);
  if (error instanceof RateLimitedError) {
    const { retryAfterMs: cooldownMs, message: cause, isOfModel } = error;
    return {
      account: ifCurrent({ kind: 'cooldown', cooldownMs, cause, isOfModel }),
      upstream: 'alive',
      retry: AT_ONCE,
    };
  }
  if (error instanceof LoginRequiredError) {
    return {
      account: ifCurrent({ kind: 'login_lost', error }),
      upstream: 'unknown',
      retry: AT_ONCE,
    };
  }
  if (error instanceof RejectedError && error.fault === 'model_refused') {
    return {
      account: ifCurrent({ kind: 'model_refused' }),
      upstream: 'alive',
      retry: { kind: 'elsewhere' },
    };
  }
  if (error instanceof RejectedError) {
    return { account: UNCHANGED, upstream: 'alive', retry: NEVER };
  }
  if (error instanceof GatewayError) {
    return { account: UNCHANGED, upstream: 'unknown', retry: NEVER };
  }
  if (isRefusedForm(error)) {
    return { account: UNCHANGED, upstream: 'alive', retry: { kind: 'in_other_form' } };
  }
  const wasAccepted = stage === 'accepted' || stage === 'answering';
  if (error instanceof LocalResourceError) {
    return {
      account: UNCHANGED,
      upstream: 'unknown',
      retry: wasAccepted ? NEVER : { kind: 'after_backoff', isBudgeted: true },
    };
  }
  if ((!isLoginCurrent || error instanceof LoginReplacedError) && !wasAccepted) {
    return { account: UNCHANGED, upstream: 'unknown', retry: AT_ONCE };
  }
  return {
    account: ifCurrent({ kind: 'failed' }),
    upstream: upstreamVerdictOf(error),
    retry: wasAccepted
      ? NEVER
      : {
          kind: 'after_backoff',
          isBudgeted: true,
          notBeforeMs: error instanceof UnavailableError ? error.retryAfterMs : undefined,
        },
  };
}

/** Whether the driver sends the request in another form next. */
function isRefusedForm(error: unknown): boolean {
  return (
    error instanceof UnavailableError &&
    (error.fault === 'unsupported_field' || error.fault === 'unsupported_order')
  );
}

function upstreamVerdictOf(error: unknown): UpstreamVerdict {
  const { reason, fault } = error instanceof UnavailableError ? error : {};
  // By the reason, since nothing reaches the upstream through a proxy that fails, either.
  if (reason === 'upstream_unreachable') {
    return 'unreachable';
  }
  // One page that is late, on a busy machine or for one login, must not stop the accounts whose pages are not.
  return fault === 'page_timeout' ? 'unknown' : 'failed';
}

/** No prompt has failed, and none was for a model. */
function ofOpening(verdict: AccountVerdict): AccountVerdict {
  return verdict.kind === 'cooldown' || verdict.kind === 'login_lost' ? verdict : UNCHANGED;
}

/** Attempts that ended before a prompt was sent cost the upstream no prompt. */
function unbudgeted(retry: RetryVerdict): RetryVerdict {
  return retry.kind === 'after_backoff' ? { ...retry, isBudgeted: false } : retry;
}
