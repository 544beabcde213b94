import { Logger } from '@nestjs/common';

/** Actions that are kept; the oldest go first. */
export const MAX_ACTIONS = 10_000;

/** One action of an operator, or of whoever rotates their own key. */
export interface AuditEntry {
  readonly number: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** Name of the key that was used; null while the gateway has no keys. */
  readonly actor: string | null;
  /** E.g. `key.create`. */
  readonly action: string;
  /** Target of the action, e.g. the name of a key. */
  readonly subject: string | null;
  /** Without secrets; null where there was nothing before. */
  readonly before: unknown;
  /** Without secrets; null where nothing is left. */
  readonly after: unknown;
}

export type AuditRecord = Pick<AuditEntry, 'actor' | 'action' | 'subject'> &
  Partial<Pick<AuditEntry, 'before' | 'after'>>;

/** Port to what was done, in the store. */
export abstract class AuditLog {
  private readonly logger = new Logger(AuditLog.name);

  /**
   * Never rejects: what was done has taken effect, and its result, e.g. a new secret, must reach who did it. Each action
   * stands in the process log, too: the list is bounded, and whoever has an operator's key can fill it in seconds.
   */
  async add(record: AuditRecord): Promise<void> {
    try {
      await this.write(record);
      this.logger.log({ event: 'audit', ...record }, 'an operator has acted');
    } catch (err) {
      this.logger.error({ event: 'audit_lost', ...record, err }, 'an action is missing in the audit list');
    }
  }

  protected abstract write(record: AuditRecord): Promise<void>;

  /** Newest first. @param before number of an entry; only earlier ones */
  abstract list(limit: number, before?: number): Promise<AuditEntry[]>;
}
