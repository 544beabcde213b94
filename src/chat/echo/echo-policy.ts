import { type Settings } from '../../common/config/settings.js';

/**
 * Action on an answer that repeats a tool result. `drop`: the connection is closed, and the caller's own retry gets a
 * corrected prompt. `regenerate`: the upstream is asked again with a corrected prompt within the same response.
 * `pass`: the answer is sent unchanged.
 */
export type EchoAction = 'drop' | 'regenerate' | 'pass';

/** Number of corrected tries of one request, its repetitions included, after which an echo passes. */
const MAX_CORRECTIONS = 2;

export interface EchoSituation {
  readonly setting: Settings['ECHO_ACTION'];
  /** Whether the status line has been written. */
  readonly isCommitted: boolean;
  /** Whether the caller is a library that retries by itself when its connection breaks. */
  readonly isRetryingClient: boolean;
  /** Corrected tries so far, in this request and in those that it repeats. */
  readonly corrections: number;
}

/**
 * Decides about an echo. A connection is dropped only before the status line, whatever the setting: a client whose
 * response breaks off shows an error. With `auto` it is dropped once for each request, since libraries retry at
 * least once, and some no more than that.
 */
export function echoAction({
  setting,
  isCommitted,
  isRetryingClient,
  corrections,
}: EchoSituation): EchoAction {
  if (setting === 'off' || corrections >= MAX_CORRECTIONS) {
    return 'pass';
  }
  const isDropped = setting === 'drop' || (setting === 'auto' && isRetryingClient && corrections === 0);
  return isDropped && !isCommitted ? 'drop' : 'regenerate';
}
