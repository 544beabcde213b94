import { createRequire } from 'node:module';
import type pg from 'pg';

/** Number of the type `bigint` in every PostgreSQL; what is stored here is far below 2^53. */
const INT8 = 20;

/** Longest wait for a server to close a connection: one that hangs never does. */
const END_LIMIT_MS = 500;

/** The client for PostgreSQL, loaded at its first use: it takes 11 MiB, and most gateways have no `DATABASE_URL`. */
export function pgClient(): typeof pg {
  return createRequire(import.meta.url)('pg') as typeof pg;
}

/** Reads 64-bit integers as numbers. */
export function numberTypes(): pg.CustomTypesConfig {
  const { types } = pgClient();
  return {
    getTypeParser: (oid, format): ((value: never) => unknown) =>
      Number(oid) === INT8 && format !== 'binary'
        ? Number
        : (types.getTypeParser(oid, format) as () => unknown),
  };
}

/** Ends a connection, by cutting it off where the server does not answer. */
export async function endClient(client: pg.Client): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), END_LIMIT_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(limit);
  }
}
