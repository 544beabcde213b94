/** Signals that ask the process to end. SIGHUP is that of a terminal that closes; no setting is read again at it. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
