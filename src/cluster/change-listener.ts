import type pg from 'pg';
import { endClient, pgClient } from '../common/store/pg-client.js';
import { Pause } from '../common/time/pause.js';

/**
 * Sent with every change of accounts that other nodes must hear of, see `accounts_changed()` in the migrations; with the id
 * of a node as its text where only that one is concerned.
 */
const ACCOUNTS_CHANNEL = 'gateway_accounts';

/** Wait before a lost connection is made anew, and how much longer it may be. */
const RECONNECT_MS = 500;
const RECONNECT_JITTER_MS = 500;

/**
 * Hears at once that another node has changed something. It only saves time: the beat finds every change by its version,
 * and does so alone where notifications do not come through, e.g. behind a pooler of transactions.
 */
export class ChangeListener {
  private readonly pause = new Pause();
  private client: pg.Client | undefined;
  private isStopped = false;
  private running: Promise<void> | undefined;

  /**
   * @param chance gives a number from 0 to 1, for the jitter
   * @param onChange takes the text of the notification; called with none once it listens, for what was missed before
   * @param channel to listen on; a name of the gateway's own
   */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly onChange: (text: string) => void,
    private readonly chance: () => number,
    private readonly channel = ACCOUNTS_CHANNEL,
  ) {}

  start(): void {
    this.running = this.listenOn();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.pause.end();
    if (this.client) {
      await endClient(this.client).catch(() => undefined);
    }
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
    const client = new (pgClient().Client)(this.options);
    this.client = client;
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => resolve());
      client.on('error', () => resolve());
    });
    try {
      await client.connect();
      client.on('notification', ({ payload = '' }) => this.onChange(payload));
      await client.query(`LISTEN ${this.channel}`);
      this.onChange('');
      await ended;
    } finally {
      await endClient(client).catch(() => undefined);
    }
  }
}
