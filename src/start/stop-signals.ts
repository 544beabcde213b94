/** Signals that ask the process to end. SIGHUP is that of a terminal that closes; no setting is read again at it. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Nothing has begun that would have to be finished. */
const end = (): never => process.exit(0);

/** A signal ends the process from now on: as the first one of a container it would not be ended without a listener. */
export function endAtSignals(): void {
  STOP_SIGNALS.forEach((signal) => process.on(signal, end));
}

/** The gateway is built, and heeds signals itself. */
export function leaveSignals(): void {
  STOP_SIGNALS.forEach((signal) => process.off(signal, end));
}
