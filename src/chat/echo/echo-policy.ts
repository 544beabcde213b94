/**
 * What is done about an answer that repeats a tool result. `drop`: the connection is broken, and the caller's own
 * retry is answered with a corrected prompt. `regenerate`: the upstream is asked again with a corrected prompt, within
 * the same response. `pass`: the answer goes out as it is.
 */
export type EchoAction = 'drop' | 'regenerate' | 'pass';

/** Corrected tries of one conversation, after which the answer passes. */
const MAX_CORRECTIONS = 2;

export interface EchoSituation {
  /** The setting ECHO_ACTION. */
  readonly setting: 'auto' | 'drop' | 'regenerate' | 'off';
  /** Whether the status line has been written. */
  readonly isCommitted: boolean;
  /** Whether the caller is a library that repeats a request by itself when its connection breaks. */
  readonly isRetryingClient: boolean;
  /** Corrected tries of this conversation so far, in this request and in those before it. */
  readonly corrections: number;
}

/**
 * A connection is dropped only before the status line, whatever the setting: a client whose response breaks off shows
 * an error. By itself (`auto`) the gateway does so once for each conversation, since libraries repeat a request at
 * least once but some no more than that.
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
