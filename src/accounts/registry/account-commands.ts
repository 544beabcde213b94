import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { Mutex } from '../../common/time/mutex.js';
import { type CredentialField, UpstreamDriver } from '../../upstream/upstream-driver.js';
import { AccountNameTakenError } from '../accounts.errors.js';
import { checkCredentials } from '../credential-check.js';
import { type Account, type Credentials } from './account.js';
import { AccountRegistry } from './account-registry.js';

/**
 * The operator's commands, from the dashboard, carried out one after the other. Each has been stored when its promise is
 * fulfilled; a command that the store refuses rejects and changes nothing. An unknown id is an `AccountNotFoundError`.
 */
@Injectable()
export class AccountCommands {
  /** A command is judged by what the one before it has left. */
  private readonly mutex = new Mutex();

  constructor(
    private readonly registry: AccountRegistry,
    private readonly driver: UpstreamDriver,
  ) {}

  /** What `add` and `update` ask for, in this order; none where the provider cannot say. */
  get credentialFields(): readonly CredentialField[] {
    return this.driver.credentialFields;
  }

  /** @throws AccountNameTakenError; UnusableCredentialsError */
  add(name: string, credentials: Credentials): Promise<Account> {
    return this.mutex.run(async () => {
      if (this.registry.list().some((account) => account.name === name)) {
        throw new AccountNameTakenError(name);
      }
      checkCredentials(credentials, this.driver);
      const account = await this.registry.create(name, credentials, 'operator');
      this.registry.announce(account, 'opened');
      return account;
    });
  }

  /**
   * Replaces the credentials; the account logs in with the new ones.
   * @throws InvalidRequestError for an account of the configuration; UnusableCredentialsError
   */
  update(id: string, credentials: Credentials): Promise<Account> {
    return this.mutex.run(async () => {
      const account = this.registry.get(id);
      if (account.source === 'configuration') {
        throw new InvalidRequestError(`'${account.name}' comes from the configuration: change it there.`);
      }
      checkCredentials(credentials, this.driver);
      await this.registry.saveCredentials(account, credentials);
      return this.reopen(account);
    });
  }

  enable(id: string): Promise<Account> {
    return this.setEnabled(id, true);
  }

  /** Running answers go on to their end. */
  disable(id: string): Promise<Account> {
    return this.setEnabled(id, false);
  }

  /** @throws InvalidRequestError for an account of the configuration, which would be back at the next start */
  remove(id: string): Promise<void> {
    return this.mutex.run(async () => {
      const account = this.registry.get(id);
      if (account.source === 'configuration') {
        throw new InvalidRequestError(
          `'${account.name}' comes from the configuration: remove it there, or disable it.`,
        );
      }
      await this.registry.delete(account);
    });
  }

  /** Deletes the login state and failure, so that the account logs in anew. */
  login(id: string): Promise<Account> {
    return this.mutex.run(async () => {
      const account = this.registry.get(id);
      await this.registry.forgetLogin(account);
      return this.reopen(account);
    });
  }

  clearCooldown(id: string): Promise<Account> {
    return this.mutex.run(async () => {
      const account = this.registry.get(id);
      await this.registry.clearCooldown(account);
      this.registry.announce(account, 'cleared');
      return account;
    });
  }

  private setEnabled(id: string, isEnabled: boolean): Promise<Account> {
    return this.mutex.run(async () => {
      const account = this.registry.get(id);
      if (account.isEnabled !== isEnabled) {
        await this.registry.saveEnabled(account, isEnabled);
        this.registry.announce(account, account.isUsable ? 'opened' : 'closed');
      }
      return account;
    });
  }

  /** Sessions of the old login end; new ones log in. */
  private reopen(account: Account): Account {
    account.automaticLogins = 0;
    this.registry.announceReopened(account);
    return account;
  }
}
