import { type PgDatabase } from '../common/store/pg-database.js';

/** Longest wait for the database; a page reads this every few seconds. */
const LIMIT_MS = 2000;

/** One gateway of several, as the database knows it. */
export interface ListedNode {
  /** New at each start. */
  readonly id: string;
  readonly version: string;
  readonly isDraining: boolean;
  /** Milliseconds since it last renewed its accounts; it does so each second. */
  readonly seenMsAgo: number;
  /** Accounts of which it has at least a share. */
  readonly accounts: number;
  readonly shares: number;
  /** Report that `NodeReport` collected there; null for a release that tells nothing. */
  readonly report: Readonly<Record<string, unknown>> | null;
}

/** Those that live, and those that fell silent a short time ago. A node that stops in good order takes its row with it. */
const LIST = `
  SELECT nodes.id, version, is_draining AS "isDraining", report,
    (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8 AS "seenMsAgo",
    count(DISTINCT tenures.account)::integer AS accounts, count(tenures.account)::integer AS shares
  FROM nodes LEFT JOIN tenures ON tenures.node = nodes.id AND tenures.until > clock_timestamp()
  WHERE seen_at > clock_timestamp() - interval '10 minutes'
  GROUP BY nodes.id ORDER BY nodes.id LIMIT 200`;

/** A gateway that uses an account. */
export interface Holder {
  /** As `ListedNode.id`. */
  readonly nodeId: string;
  /** Its name for people: see `NodeFigures`. */
  readonly logName?: string;
  /** Parts of the account: 1 of 1 for a login at a chat site, of 8 for an API key. */
  readonly shares: number;
  /** Milliseconds until the first of them ends unless it is renewed, as it is each second. */
  readonly endsInMs: number;
}

const HOLDERS = `
  SELECT account, node AS "nodeId", report ->> 'logName' AS "logName", count(*)::integer AS shares,
    (extract(epoch FROM min(until) - clock_timestamp()) * 1000)::float8 AS "endsInMs"
  FROM tenures LEFT JOIN nodes ON nodes.id = node WHERE until > clock_timestamp()
  GROUP BY account, node, nodes.id ORDER BY account, node`;

/** The gateways on one database, and who uses which account. */
export class NodeList {
  /** @param database undefined where there is but one gateway */
  constructor(private readonly database: PgDatabase | undefined) {}

  /** Id of this node; undefined where there is but one gateway. */
  get own(): string | undefined {
    return this.database?.nodeId;
  }

  /**
   * Name of this node for people: the log's, which entries and cards have, or else the id; undefined where there is but one
   * gateway.
   * @param logName undefined while the log is not open
   */
  ownName(logName: string | undefined): string | undefined {
    return this.own && (logName ?? this.own);
  }

  /**
   * All nodes by id; none where there is no shared database.
   * @throws InternalError `database_away`
   */
  async read(): Promise<readonly ListedNode[]> {
    return (await this.ask<ListedNode>(LIST)) ?? [];
  }

  /**
   * Holders of accounts, by the id of the account; undefined where there is no shared database.
   * @throws InternalError `database_away`
   */
  async holders(): Promise<Map<string, Holder[]> | undefined> {
    const rows = await this.ask<Holder & { readonly account: string }>(HOLDERS);
    if (!rows) {
      return undefined;
    }
    const holders = new Map<string, Holder[]>();
    for (const { account, ...holder } of rows) {
      holders.set(account, [...(holders.get(account) ?? []), holder]);
    }
    return holders;
  }

  private ask<Row extends object>(statement: string): Promise<Row[]> | undefined {
    return this.database?.look<Row>(statement, [], LIMIT_MS);
  }
}
