import { GatewayError, InternalError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { type CredentialProblem } from '../upstream/credential-problem.js';
import { type RejectedError } from '../upstream/upstream.errors.js';

/** No account has this id. Answered 404. */
export class AccountNotFoundError extends GatewayError {
  override name = 'AccountNotFoundError';

  constructor(id: string) {
    super('not_found', `There is no account '${id}'.`);
  }
}

/** There is an account of this name already. */
export class AccountNameTakenError extends InvalidRequestError {
  override name = 'AccountNameTakenError';

  constructor(name: string) {
    super(`There is an account named '${name}' already.`, 'name');
  }
}

/** Credentials with which no account of this provider can be used. */
export class UnusableCredentialsError extends InvalidRequestError {
  override name = 'UnusableCredentialsError';

  /**
   * @param required names of all credentials that are needed
   * @param problem that of one of them
   */
  constructor(required: readonly string[], { name, detail }: CredentialProblem) {
    super(
      `Accounts of this provider need ${required.join(' and ')}: '${name}' ${detail}.`,
      `credentials.${name}`,
    );
  }
}

/** The queue for sessions is full, or the wait for a session took longer than POOL_ACQUIRE_TIMEOUT_MS. */
export class SessionPoolExhaustedError extends InternalError {
  override name = 'SessionPoolExhaustedError';

  constructor(detail: string) {
    super('pool_exhausted', `the session pool is exhausted: ${detail}.`);
  }
}

/** When to ask again where every account waits for its operator, who may be on the way. */
const OPERATOR_WAIT_MS = 60_000;

/** Every account is disabled or must be logged in. */
export class NoUsableAccountError extends InternalError {
  override name = 'NoUsableAccountError';

  /**
   * @param obstacles causes and counts, e.g. "2 of 2 accounts need a login"
   * @param nextLoginMs time until an account is logged in again by itself
   */
  constructor(obstacles: string, nextLoginMs?: number) {
    const detail = obstacles === '' ? 'there is none' : obstacles;
    const next =
      nextLoginMs === undefined
        ? 'The dashboard says more.'
        : `The next login is tried in ${Math.max(1, Math.ceil(nextLoginMs / 1000))} s.`;
    super('no_account', `no account can be used: ${detail}. ${next}`, {
      retryAfterMs: nextLoginMs ?? OPERATOR_WAIT_MS,
    });
  }
}

/** A node renews its accounts, and takes others, within a second of the database's return. */
const DATABASE_WAIT_MS = 2000;

/** No account is left, and none can come, while the database that several gateways share does not answer. */
export class DatabaseAwayError extends InternalError {
  override name = 'DatabaseAwayError';

  constructor() {
    super('database_away', 'the shared database cannot be reached, so no account can be used.', {
      retryAfterMs: DATABASE_WAIT_MS,
    });
  }
}

/** Refusal by the open circuit breaker. */
export class UpstreamDownError extends InternalError {
  override name = 'UpstreamDownError';

  /**
   * @param retryAfterMs time until the breaker lets a request through
   * @param isAlone whether the request's conversation is refused alone
   */
  constructor(retryAfterMs: number, isAlone = false) {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    const refused = isAlone ? ' at this conversation, so it is refused' : ', so requests are refused';
    super('upstream_down', `the upstream keeps failing${refused} for ${seconds} s.`, { retryAfterMs });
  }
}

/**
 * The upstream refuses the request. The chat module, which knows what the caller sent, names the field that the upstream
 * complains about.
 */
export class UpstreamRefusedError extends InvalidRequestError {
  override name = 'UpstreamRefusedError';

  /**
   * @param rejection whose message the driver wrote, not the upstream, so that it may be shown
   * @param field name that the caller has sent the field at fault by
   */
  constructor(
    readonly rejection: RejectedError,
    field?: string,
  ) {
    const named = field === undefined ? '' : ` Its complaint names \`${field}\`.`;
    super(`${rejection.message}${named}`, field, { cause: rejection, reason: 'upstream_refused' });
  }
}

/** The model does not read the pictures or files of the prompt. The chat module asks again without, where it can. */
export class MediaRefusedError extends InvalidRequestError {
  override name = 'MediaRefusedError';

  constructor(cause: unknown) {
    super('This upstream takes text only.', 'messages', { cause, reason: 'upstream_refused' });
  }
}

/**
 * The upstream found the prompt too long. The chat module, which knows the model, replaces it by
 * `ContextWindowExceededError`, whose wording coding agents act on.
 */
export class PromptTooLongError extends GatewayError {
  override name = 'PromptTooLongError';

  constructor(cause: unknown) {
    super('context_window_exceeded', 'The prompt is too long for the upstream.', {
      param: 'messages',
      cause,
    });
  }
}
