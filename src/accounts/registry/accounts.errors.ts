import { GatewayError, InternalError } from '../../common/errors/gateway.errors.js';

/** No account has this id. Answered 404. */
export class AccountNotFoundError extends GatewayError {
  override name = 'AccountNotFoundError';

  constructor(id: string) {
    super('not_found', `There is no account '${id}'.`);
  }
}

/** The queue for sessions is full, or the wait for a session took longer than POOL_ACQUIRE_TIMEOUT_MS. */
export class SessionPoolExhaustedError extends InternalError {
  override name = 'SessionPoolExhaustedError';

  constructor(detail: string) {
    super(`The session pool is exhausted: ${detail}.`);
  }
}

/** Every account is disabled or must be logged in by the operator. */
export class NoUsableAccountError extends InternalError {
  override name = 'NoUsableAccountError';

  constructor() {
    super('No account can be used: every one is disabled or must be logged in again. See the dashboard.');
  }
}

/** Refusal by the open circuit breaker. */
export class UpstreamDownError extends InternalError {
  override name = 'UpstreamDownError';

  constructor() {
    super('The upstream keeps failing; requests are refused for a few seconds.');
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
