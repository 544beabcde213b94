import {
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UpstreamError,
} from '../../../src/upstream/upstream.errors.js';

/** Progress of a check before its failure. */
export interface CheckProgress {
  readonly hasBrowser: boolean;
  /** The page of a new chat is there. */
  readonly hasPage: boolean;
  readonly isLoggingIn: boolean;
  readonly wasSent: boolean;
  /** Key of the capture that the check was waiting for once the prompt was entered. */
  readonly awaited: string;
}

/** The key of the recipe at which a check failed outside the recipe's steps. */
export function failurePlace(error: unknown, progress: CheckProgress): string {
  const { hasBrowser, hasPage, isLoggingIn, wasSent, awaited } = progress;
  if (!hasBrowser) {
    return 'browser';
  }
  if (error instanceof LoginRequiredError && !wasSent) {
    return {
      invalid_credentials: 'login.failure',
      login_failed: 'login.success',
      login_wall: 'signs.loginWall',
      blocked: 'signs.blocked',
    }[error.fault];
  }
  if (!hasPage) {
    const hasSign = error instanceof RateLimitedError || faultOf(error) === 'overloaded';
    return hasSign ? 'signs' : isLoggingIn ? 'newChat after login' : 'newChat.ready';
  }
  if (!wasSent || faultOf(error) === 'prompt_refused') {
    return 'prompt.input';
  }
  if (error instanceof RejectedError) {
    return 'prompt';
  }
  return awaited;
}

function faultOf(error: unknown): string {
  return error instanceof UpstreamError ? error.fault : '';
}
