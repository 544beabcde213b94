import { SettingsError } from '../common/config/settings.errors.js';
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
export function fail(error: unknown): never {
  const isKnown = CONFIGURATION_ERRORS.some((type) => error instanceof type);
  const text = error instanceof Error && !isKnown && !isSystemError(error) ? error.stack : undefined;
  const message = takenPort(error) ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`${text ?? message}\n`);
  // A database that went away in the middle of the start is waited for by the next one.
  process.exit(isKnown && !isDatabaseAway(error) ? EXIT_BAD_CONFIGURATION : EXIT_FAILED);
}

/** Whether an error comes from a system call, e.g. for a port in use; its message needs no stack. */
function isSystemError(error: Error): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
