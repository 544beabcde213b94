import { LocalResourceError, UnavailableError, type UpstreamError } from '../upstream.errors.js';

/** System errors of a machine that has run out of descriptors, memory, buffers or ports. */
const LOCAL_CODES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** The error for a connection that could not be made. */
export function connectFailure(error: Error): UpstreamError {
  return systemCodes(error).some((code) => LOCAL_CODES.has(code))
    ? new LocalResourceError(error)
    : new UnavailableError('connect_failed', 'The upstream cannot be reached.', error);
}

/** Codes of an error and of the errors it stands for: one for each address that was tried. */
function systemCodes(error: Error): readonly string[] {
  const { code } = error as NodeJS.ErrnoException;
  const parts = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const { cause } = error;
  return [
    ...(code === undefined ? [] : [code]),
    ...parts.flatMap(systemCodes),
    ...(cause instanceof Error ? systemCodes(cause) : []),
  ];
}
