import pg from 'pg';
import { Pause } from './pause.js';

/**
 * Sent with every change of accounts that other nodes must hear of, see `accounts_changed()` in the migrations; with the id
 * of a node as its payload where only that one is concerned.
 */
const CHANNEL = 'gateway_accounts';

/** Wait before a lost connection is made anew, and how much longer it may be. */
const RECONNECT_MS = 500;
const RECONNECT_JITTER_MS = 500;

/**
 * Hears at once that another node has changed an account. It only saves time: the beat finds every change by its version,
 * and does so alone where notifications do not come through, e.g. behind a pooler of transactions.
 */
export class ChangeListener {
  private readonly pause = new Pause();
  private client: pg.Client | undefined;
  private isStopped = false;
  private running: Promise<void> | undefined;

  /**
   * @param node id of this node
   * @param chance gives a number from 0 to 1, for the jitter
   */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly node: string,
    private readonly onChange: () => void,
    private readonly chance: () => number,
  ) {}

  start(): void {
    this.running = this.listenOn();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    await this.client?.end().catch(() => undefined);
    await this.running;
  }

  private async listenOn(): Promise<void> {
    while (!this.isStopped) {
      // The beat says whether the database answers; this connection's failures add nothing to that.
      await this.listen().catch(() => undefined);
      if (!this.isStopped) {
        await this.pause.wait(RECONNECT_MS + RECONNECT_JITTER_MS * this.chance());
      }
    }
  }

  /** Settles when the connection has ended. */
  private async listen(): Promise<void> {
    const client = new pg.Client(this.options);
    this.client = client;
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => resolve());
      client.on('error', () => resolve());
    });
    try {
      await client.connect();
      client.on('notification', ({ payload }) => {
        if (!payload || payload === this.node) {
          this.onChange();
        }
      });
      await client.query(`LISTEN ${CHANNEL}`);
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
