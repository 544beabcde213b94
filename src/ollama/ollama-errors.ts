import { ERROR_CATALOG } from '../common/errors/error-catalog.js';
import { type ErrorFormat } from '../common/errors/error-format.js';

/** Errors as the clients of the Ollama API know them. */
export const OLLAMA_ERRORS: ErrorFormat = {
  status: ({ code }) => ERROR_CATALOG[code].status,
  body: ({ message }) => ({ error: message }),
};
