/**
 * Writes one line for the operator into the process log.
 * @param level `warn` for what fails or is lost; `log`, the default, for what belongs to a usual day
 */
export type DriverLog = (message: string, level?: 'log' | 'warn') => void;
