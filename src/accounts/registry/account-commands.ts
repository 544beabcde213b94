import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../common/audit/audit-log.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { Mutex } from '../../common/time/mutex.js';
import { type CredentialField, UpstreamDriver } from '../../upstream/upstream-driver.js';
import { AccountNameTakenError } from '../accounts.errors.js';
import { checkCredentials } from '../credential-check.js';
import { type Account, type AccountState, type Credentials } from './account.js';
import { AccountRegistry } from './account-registry.js';

/** What the audit list keeps of an account. */
interface AuditedState {
  readonly state: AccountState;
}

/**
 * The operator's commands, from the dashboard, carried out one after the other. Each has been stored, and is in the audit
 * list, when its promise is fulfilled; a command that the store refuses rejects and changes nothing. The actor is the name
 * of the operator's key; null while the gateway has none. An unknown id is an `AccountNotFoundError`.
 */
@Injectable()
export class AccountCommands {
  /** A command is judged by what the one before it has left. */
  private readonly mutex = new Mutex();

  constructor(
    private readonly registry: AccountRegistry,
    private readonly driver: UpstreamDriver,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** What `add` and `update` ask for, in this order; none where the provider cannot say. */
  get credentialFields(): readonly CredentialField[] {
    return this.driver.credentialFields;
  }

  /** @throws AccountNameTakenError; UnusableCredentialsError */
  async add(actor: string | null, name: string, credentials: Credentials): Promise<Account> {
    const account = await this.mutex.run(async () => {
      if (this.registry.list().some((other) => other.name === name)) {
        throw new AccountNameTakenError(name);
      }
      checkCredentials(credentials, this.driver);
      const created = await this.registry.create(name, credentials, 'operator');
      this.registry.announce(created, 'opened');
      return created;
    });
    const after = this.auditedState(account);
    await this.audit.add({ actor, action: 'account.add', subject: name, after });
    return account;
  }

  /**
   * Replaces the credentials; the account logs in with the new ones.
   * @throws InvalidRequestError for an account of the configuration; UnusableCredentialsError
   */
  update(actor: string | null, id: string, credentials: Credentials): Promise<Account> {
    return this.change(actor, 'update', id, async (account) => {
      if (account.source === 'configuration') {
        throw new InvalidRequestError(`'${account.name}' comes from the configuration: change it there.`);
      }
      checkCredentials(credentials, this.driver);
      await this.registry.saveCredentials(account, credentials);
      this.reopen(account);
    });
  }

  enable(actor: string | null, id: string): Promise<Account> {
    return this.change(actor, 'enable', id, (account) => this.setEnabled(account, true));
  }

  /** Running answers go on to their end. */
  disable(actor: string | null, id: string): Promise<Account> {
    return this.change(actor, 'disable', id, (account) => this.setEnabled(account, false));
  }

  /** @throws InvalidRequestError for an account of the configuration, which would be back at the next start */
  async remove(actor: string | null, id: string): Promise<void> {
    const { name: subject } = await this.mutex.run(async () => {
      const account = this.registry.get(id);
      if (account.source === 'configuration') {
        throw new InvalidRequestError(
          `'${account.name}' comes from the configuration: remove it there, or disable it.`,
        );
      }
      await this.registry.delete(account);
      return account;
    });
    await this.audit.add({ actor, action: 'account.remove', subject });
  }

  /** Deletes the login state and failure, so that the account logs in anew. */
  login(actor: string | null, id: string): Promise<Account> {
    return this.change(actor, 'login', id, async (account) => {
      await this.registry.forgetLogin(account);
      this.reopen(account);
    });
  }

  /** Logs in again every account that needs it. */
  loginAll(actor: string | null): Promise<Account[]> {
    const out = this.registry.list().filter(({ needsLogin }) => needsLogin);
    return Promise.all(out.map(({ id }) => this.login(actor, id)));
  }

  clearCooldown(actor: string | null, id: string): Promise<Account> {
    return this.change(actor, 'clear_cooldown', id, async (account) => {
      await this.registry.clearCooldown(account);
      this.registry.announce(account, 'cleared');
    });
  }

  /** Changes an account, and keeps what that did to its state. */
  private async change(
    actor: string | null,
    action: string,
    id: string,
    work: (account: Account) => Promise<void>,
  ): Promise<Account> {
    const { account, before, after } = await this.mutex.run(async () => {
      const found = this.registry.get(id);
      const earlier = this.auditedState(found);
      await work(found);
      return { account: found, before: earlier, after: this.auditedState(found) };
    });
    await this.audit.add({ actor, action: `account.${action}`, subject: account.name, before, after });
    return account;
  }

  private auditedState(account: Account): AuditedState {
    return { state: account.stateAt(this.clock.monotonic()) };
  }

  private async setEnabled(account: Account, isEnabled: boolean): Promise<void> {
    if (account.isEnabled !== isEnabled) {
      await this.registry.saveEnabled(account, isEnabled);
      this.registry.announce(account, account.isUsable ? 'opened' : 'closed');
    }
  }

  /** Sessions of the old login end; new ones log in. */
  private reopen(account: Account): void {
    account.automaticLogins = 0;
    this.registry.announceReopened(account);
  }
}
