import { SettingsError } from '../common/config/settings.errors.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { isDatabaseAway } from '../common/store/database-away.js';
import { StoreError } from '../common/store/store.error.js';
import { InvalidRecipeError } from '../upstream/web/recipe/invalid-recipe.error.js';
import { takenPort } from './free-port.js';

/** Exit codes: 0 after a shutdown in good order, 1 after a failure, 2 for a configuration that is not valid. */
export const EXIT_FAILED = 1;
const EXIT_BAD_CONFIGURATION = 2;

/** Errors that only the operator can fix. The message says how; a stack would bury it. */
const CONFIGURATION_ERRORS = [SettingsError, InvalidRecipeError, StoreError];

/** Says why the gateway cannot go on, and ends the process. */
export function exitWithFailure(error: unknown): never {
  process.stderr.write(`${failureText(error)}\n`);
  process.exit(exitCode(error));
}

/** 2 where another start would fail alike. A database that went away in the middle of the start is waited for by the next one. */
export function exitCode(error: unknown): number {
  const passes = isDatabaseAway(error) || (error instanceof StoreError && error.passes);
  return isConfigurationError(error) && !passes ? EXIT_BAD_CONFIGURATION : EXIT_FAILED;
}

/** One line where no stack is needed to find the cause; else the stack. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error instanceof GatewayError && error.reason === 'database_away') {
    const { cause } = error;
    return `The database (DATABASE_URL) was lost during the start: ${cause instanceof Error ? cause.message : error.message}`;
  }
  const hasStack = !isConfigurationError(error) && !isSystemError(error);
  return (hasStack ? error.stack : undefined) ?? takenPort(error) ?? error.message;
}

function isConfigurationError(error: unknown): boolean {
  return CONFIGURATION_ERRORS.some((type) => error instanceof type);
}

/** Whether an error comes from a system call, e.g. for a port in use; its message needs no stack. */
function isSystemError(error: Error): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
