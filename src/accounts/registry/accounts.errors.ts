import { GatewayError, InternalError } from '../../common/errors/gateway.errors.js';

export class AccountNotFoundError extends GatewayError {
  override name = 'AccountNotFoundError';

  constructor(id: string) {
    super('not_found', `There is no account '${id}'.`);
  }
}

/** Nobody can be served in time: the queue is full, or the wait was over. */
export class SessionPoolExhaustedError extends InternalError {
  override name = 'SessionPoolExhaustedError';

  constructor(detail: string) {
    super(`The session pool is exhausted: ${detail}.`);
  }
}

/** No account can be used until the operator does something. */
export class NoUsableAccountError extends InternalError {
  override name = 'NoUsableAccountError';

  constructor() {
    super('No account can be used: every one is disabled or must be logged in again. See the dashboard.');
  }
}

/** The circuit breaker is open. */
export class UpstreamDownError extends InternalError {
  override name = 'UpstreamDownError';

  constructor() {
    super('The upstream keeps failing; requests are refused for a few seconds.');
  }
}

/**
 * The upstream found the prompt too long. Whoever knows the model answers with `ContextWindowExceededError`
 * instead, whose wording coding agents act on.
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
