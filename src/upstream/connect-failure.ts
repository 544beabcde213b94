import { ProxyError } from '../common/network/proxy/tunnel.js';
import { LocalResourceError, UnavailableError, type UpstreamError } from './upstream.errors.js';

/** System errors of a machine that has run out of descriptors, memory, buffers or ports. */
const LOCAL_CODES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/**
 * The error for a connection that could not be made.
 * @param message of the failure that is the upstream's
 */
export function connectFailure(error: Error, message = 'The upstream cannot be reached.'): UpstreamError {
  const fault = error instanceof ProxyError ? 'proxy_failed' : 'connect_failed';
  return localFailure(error) ?? new UnavailableError(fault, message, { cause: error });
}

/** Whether this is the end of a connection that stood. */
export function isBrokenConnection({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** The error for what failed since this machine has run out of something; undefined if it has not. */
export function localFailure(error: unknown): LocalResourceError | undefined {
  const isLocal = error instanceof Error && systemCodes(error).some((code) => LOCAL_CODES.has(code));
  return isLocal ? new LocalResourceError(error) : undefined;
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
