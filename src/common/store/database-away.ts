import { WorkerCallError } from '../threads/worker-client.js';

/**
 * Classes of PostgreSQL's codes that pass by themselves: connection exception, transaction rollback, insufficient
 * resources, operator intervention, system error. And 25006: a standby that has not been promoted yet.
 */
const PASSING = /^(08|40|53|57|58)|^25006$/;

/** PostgreSQL's code for a right that a role lacks. */
const RIGHT_MISSING = '42501';

/** PostgreSQL's code for a lock that was not had in time. */
const LOCKED = '55P03';

/** Classes of PostgreSQL's codes for a login: invalid authorization, and a database that does not exist. */
const LOGIN_REFUSED = /^(28|3D)/;

/**
 * A pooler's refusals of a time limit that every connection asks for, and of transactions. Poolers have one code, 08P01, for
 * these and for what passes, e.g. that their server is away.
 */
const REFUSED_PARAMETER = /^unsupported startup parameter/;
const REFUSED_TRANSACTION = /^transaction blocks not allowed/;

/**
 * What Node.js says of the server's certificate, and of the file with its authority; and `pg` of a server that no longer
 * encrypts.
 */
const TLS_REFUSED = /certificate|^E[A-Z]+: .*, open '|^The server does not support SSL/;

const CONNECTION_CALLS: ReadonlySet<string | undefined> = new Set(['connect', 'getaddrinfo', 'read']);

/** Codes of a connection that was lost, in whatever call that was found. */
const LOST_CODES: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

/** Messages of `pg` about a connection, and of RxJS about a limit, which have no code. */
const CONNECTION_LOST =
  /^(Connection terminated|Client (has|was) .* not queryable$|timeout e|Query read timeout|Timeout has occurred$)/;

/** What has a code elsewhere, of an error from another thread, which has a message only. */
const LOST_ELSEWHERE =
  /^((connect|getaddrinfo|read) E|E[A-Z_]+$|terminating connection|the database system is)/;

/**
 * Whether an error says that the database cannot be reached or used for the moment. A wrong password, a database that does
 * not exist or a certificate that is refused do not pass by themselves.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (isServerError(error)) {
    return (PASSING.test(error.code ?? '') && !isPoolerUnfit(error)) || isLocked(error);
  }
  if (error instanceof AggregateError) {
    // One failure for each address of the host's name.
    return error.errors.length > 0 && error.errors.every(isDatabaseAway);
  }
  if (!(error instanceof Error)) {
    return false;
  }
  const { message, cause } = error;
  if (error instanceof WorkerCallError) {
    const code = message.split(' ').at(-1);
    return LOST_ELSEWHERE.test(message) || LOST_CODES.has(code) || CONNECTION_LOST.test(message);
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    CONNECTION_CALLS.has(syscall) ||
    LOST_CODES.has(code) ||
    CONNECTION_LOST.test(message) ||
    isDatabaseAway(cause)
  );
}

/**
 * The same for a gateway that has used the database: by a password that is changed, a right that is lost, a database that is
 * renamed or a certificate that has expired it is as far away as by an outage, and comes back with a change over there.
 */
export function isDatabaseLost(error: unknown): boolean {
  if (isServerError(error)) {
    return isDatabaseAway(error) || LOGIN_REFUSED.test(error.code ?? '') || isPoolerUnfit(error);
  }
  return isDatabaseAway(error) || (error instanceof Error && TLS_REFUSED.test(error.message));
}

/** Whether a pooler (PgBouncer) does not let the parameters of a connection through. */
export function isParameterRefused({ message }: Error): boolean {
  return REFUSED_PARAMETER.test(message);
}

/** Whether a pooler gives each statement another connection. */
export function isTransactionRefused({ message }: Error): boolean {
  return REFUSED_TRANSACTION.test(message);
}

/** Whether another transaction has held for too long what the error's wanted. */
export function isLocked(error: Error): boolean {
  return isServerError(error) && error.code === LOCKED;
}

/** Whether the role of the connection may not do what it was to do. */
export function isRightMissing(error: Error): boolean {
  return isServerError(error) && error.code === RIGHT_MISSING;
}

/** Whether a pooler is set up so that no gateway can use it. */
function isPoolerUnfit(error: Error): boolean {
  return isParameterRefused(error) || isTransactionRefused(error);
}

/** Of all errors only the server's own have a severity. */
function isServerError(error: unknown): error is Error & { readonly code?: string } {
  return error instanceof Error && 'severity' in error;
}
