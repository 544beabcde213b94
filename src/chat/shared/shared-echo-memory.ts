import { Logger } from '@nestjs/common';
import { type SharedChanges } from '../../cluster/shared-changes.js';
import { Outage } from '../../common/logging/outage.js';
import { type PgDatabase } from '../../common/store/pg-database.js';
import { type Clock } from '../../common/time/clock.js';
import { EchoMemory, REMEMBERED_MS } from '../echo/echo-memory.js';

/** Most notes that wait to be shared; further ones stay on this node. */
const MAX_WAITING = 1000;

// What changes one after the other has growing versions, so that a reader misses nothing behind the last one it saw.
const CHANGED = `SELECT shared_changed('echoes')`;
const TIDY = 'DELETE FROM echoes WHERE expires_at < clock_timestamp()';
const TELL = `
  INSERT INTO echoes (conversation, node, corrections, version, expires_at)
  SELECT $1, $2, $3::integer, version, clock_timestamp() + interval '${REMEMBERED_MS} milliseconds'
    FROM shared_versions WHERE topic = 'echoes'
  ON CONFLICT (conversation) DO UPDATE SET node = excluded.node, corrections = excluded.corrections,
    version = excluded.version, expires_at = excluded.expires_at`;
// A server that was restored from a copy may count from a lower version.
const HEAR = `
  SELECT conversation AS digest, corrections, version, node <> $2 AS "isOthers" FROM echoes
  WHERE expires_at > clock_timestamp()
    AND (version > $1 OR $1 > (SELECT version FROM shared_versions WHERE topic = 'echoes'))
  ORDER BY version`;

interface EchoRow {
  readonly digest: string;
  readonly corrections: number;
  readonly version: number;
  readonly isOthers: boolean;
}

/**
 * Also knows the requests that other gateways have dropped: a balancer may lead the retry here. They are shared
 * after the fact, through `SharedChanges`, so that no request waits for the database. A retry that arrives before the note
 * is judged as a first try, as by a gateway alone.
 */
export class SharedEchoMemory extends EchoMemory {
  private readonly logger = new Logger(SharedEchoMemory.name);
  private readonly outage: Outage;
  private heard = 0;
  private waiting = 0;
  private telling: Promise<void> = Promise.resolve();

  constructor(
    clock: Clock,
    private readonly database: PgDatabase,
    changes: SharedChanges,
  ) {
    super(clock);
    const begun = (error: unknown) =>
      this.logger.warn(error, 'other gateways are not told of dropped echoes');
    const over = () => this.logger.log('other gateways are told of dropped echoes again');
    this.outage = new Outage({ begun, over }, { shared: database.outage, triesOn: false });
    changes.follow('echoes', () => this.hear());
  }

  override remember(digest: string, corrections: number): void {
    super.remember(digest, corrections);
    this.tell(digest, corrections);
  }

  override forget(digest: string): void {
    super.forget(digest);
    this.tell(digest, 0);
  }

  private tell(digest: string, corrections: number): void {
    if (this.waiting < MAX_WAITING) {
      this.waiting++;
      this.telling = this.telling.then(() => this.write(digest, corrections));
    }
  }

  private async write(digest: string, corrections: number): Promise<void> {
    this.waiting--;
    try {
      await this.database.transaction(async (query) => {
        await query(CHANGED);
        await query(TIDY);
        await query(TELL, [digest, this.database.nodeId, corrections]);
      });
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  private async hear(): Promise<void> {
    const rows = await this.database.query<EchoRow>(HEAR, [this.heard, this.database.nodeId]);
    for (const { digest, corrections, version, isOthers } of rows) {
      this.heard = version;
      if (isOthers && corrections > 0) {
        super.remember(digest, corrections);
      } else if (isOthers) {
        super.forget(digest);
      }
    }
  }
}
