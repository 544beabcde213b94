import { failureOf } from '../../../src/upstream/openai/error-body.js';
import { toUpstreamError } from '../../../src/upstream/openai/upstream-failure.js';
import { type UpstreamError } from '../../../src/upstream/upstream.errors.js';

/** Reads an error within an answer without a driver, which would also know what the request holds. */
export function errorWithin(error: unknown): UpstreamError {
  return toUpstreamError(failureOf(error));
}
