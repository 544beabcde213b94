import { type PgQuery } from '../../common/store/pg-client.js';
import { crashedText } from '../records/crashed-text.js';
import { feedPosition } from './feed.js';
import { announce } from './record-shipment.js';
import { type SharedConnection } from './shared-connection.js';
import { countCrashed } from './shared-usage.js';

/** Silence after which a node counts as dead. */
const DEAD_AFTER = "interval '30 seconds'";
/** A node judges others only if it was itself seen lately: after an outage of the server all of them look dead. */
const SEEN_LATELY = "interval '15 seconds'";
/** Bounds of the records closed in one transaction. */
const MAX_CLOSED = 500;
const MAX_CLOSED_BYTES = 2 ** 24;

interface PendingRow {
  readonly day: number;
  readonly seq: number;
  readonly brief: string;
  /** Null unless they are the whole JSON of the record, which tells the outcome. */
  readonly texts: string | null;
}

/** A note that a node lives. */
export interface LifeNote {
  /** By the server's clock. */
  readonly notedAt: string;
  /** Whether another process has noted it under the same name since the note before. */
  readonly isOthersToo: boolean;
}

/**
 * Notes that this node lives, and closes the records that nodes left pending when they died, as crashed. A node that
 * was only cut off ships their true ends when it is back.
 * @param before when this process noted it last; undefined if that is not known
 */
export async function closeCrashed(
  connection: SharedConnection,
  node: string,
  before?: string,
): Promise<LifeNote> {
  const dead = await connection.query<{ node: string }>(
    `SELECT node FROM log_nodes WHERE node <> $1 AND seen_at < clock_timestamp() - ${DEAD_AFTER}
       AND EXISTS (SELECT FROM log_nodes WHERE node = $1 AND seen_at > clock_timestamp() - ${SEEN_LATELY})
       AND EXISTS (SELECT FROM log_records WHERE log_records.node = log_nodes.node AND outcome = 'pending')`,
    [node],
  );
  // First, lest a node that cannot close the records of another is taken for dead, too.
  const [note] = await connection.query<LifeNote>(
    `INSERT INTO log_nodes VALUES ($1, clock_timestamp()) ON CONFLICT (node) DO UPDATE SET seen_at = clock_timestamp()
     RETURNING seen_at::text AS "notedAt",
       coalesce((SELECT seen_at > $2::timestamptz FROM log_nodes WHERE node = $1), false) AS "isOthersToo"`,
    [node, before],
  );
  for (const one of dead) {
    await connection.transaction((query) => closeRecords(query, one.node));
  }
  return note!;
}

async function closeRecords(query: PgQuery, node: string): Promise<void> {
  // Held until the end, so that neither another node nor the dead one itself does the same meanwhile.
  const [held] = await query(
    `SELECT FROM log_nodes WHERE node = $1 AND seen_at < clock_timestamp() - ${DEAD_AFTER} FOR UPDATE SKIP LOCKED`,
    [node],
  );
  if (held === undefined) {
    return;
  }
  const pending = await query<PendingRow>(
    `SELECT day, seq, brief, CASE WHEN is_whole THEN texts END AS texts FROM (
       SELECT *, sum(CASE WHEN is_whole THEN bytes ELSE 0 END) OVER earlier AS read, row_number() OVER earlier AS number
       FROM (
         SELECT day, seq, brief, texts, bytes, coalesce(left(texts, 1) = '{', false) AS is_whole
         FROM log_records WHERE node = $1 AND outcome = 'pending' ORDER BY day, seq LIMIT ${MAX_CLOSED} FOR UPDATE
       ) AS pending WINDOW earlier AS (ORDER BY day, seq)
     ) AS sized WHERE read <= ${MAX_CLOSED_BYTES} OR number = 1`,
    [node],
  );
  await query(
    `UPDATE log_records SET outcome = 'crashed', brief = closed.brief, texts = coalesce(closed.texts, log_records.texts),
       feed = ${feedPosition('closed.at')}
     FROM unnest($2::integer[], $3::bigint[], $4::text[], $5::text[])
       WITH ORDINALITY AS closed (day, seq, brief, texts, at)
     WHERE log_records.node = $1 AND log_records.day = closed.day AND log_records.seq = closed.seq`,
    [
      node,
      pending.map(({ day }) => day),
      pending.map(({ seq }) => seq),
      pending.map(({ brief }) => crashedText(brief)),
      pending.map(({ texts }) => (texts === null ? null : crashedText(texts))),
    ],
  );
  await countCrashed(query, node, pending);
  await announce(query);
}
