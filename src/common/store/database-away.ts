import pg from 'pg';

/**
 * Classes of PostgreSQL's codes that pass by themselves: connection exception, transaction rollback, insufficient
 * resources, operator intervention, system error. And 25006: a standby that has not been promoted yet.
 */
const PASSING = /^(08|40|53|57|58)|^25006$/;

const CONNECTION_CALLS: ReadonlySet<string | undefined> = new Set(['connect', 'getaddrinfo', 'read']);

/** Messages of `pg` about a connection, which have no code. */
const CONNECTION_LOST = /^(Connection terminated|timeout e|Query read timeout)/;

/**
 * Whether an error says that the database cannot be reached or used for the moment. A wrong password, a database that does
 * not exist or a certificate that is refused do not pass by themselves.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return PASSING.test(error.code ?? '');
  }
  if (error instanceof AggregateError) {
    // One failure for each address of the host's name.
    return error.errors.length > 0 && error.errors.every(isDatabaseAway);
  }
  if (!(error instanceof Error)) {
    return false;
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    CONNECTION_CALLS.has(syscall) ||
    code === 'ECONNRESET' ||
    CONNECTION_LOST.test(error.message) ||
    isDatabaseAway(error.cause)
  );
}
