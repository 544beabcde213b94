import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../common/errors/error-format.js';

/** Errors as the clients of the Ollama API know them. */
export const OLLAMA_ERRORS: ErrorFormat = {
  ...DEFAULT_ERROR_FORMAT,
  body: ({ message }) => ({ error: message }),
};
