import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../common/errors/error-format.js';
import { ContextWindowExceededError, type GatewayError } from '../common/errors/gateway.errors.js';

/** Errors as the clients of the Ollama API know them. */
export const OLLAMA_ERRORS: ErrorFormat = {
  ...DEFAULT_ERROR_FORMAT,
  body: (error) => ({ error: messageOf(error) }),
};

/** Libraries know by these first words that a history must be shortened. */
function messageOf(error: GatewayError): string {
  const { message } = error;
  return error instanceof ContextWindowExceededError
    ? `The input length exceeds the context length. ${message}`
    : message;
}
