import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { type Account, type Credentials } from './account.js';
import { AccountRegistry } from './account-registry.js';

/**
 * The operator's commands, from the dashboard. Each has been stored when it returns; a command that the store refuses throws
 * and changes nothing. An unknown id throws `AccountNotFoundError`.
 */
@Injectable()
export class AccountCommands {
  constructor(private readonly registry: AccountRegistry) {}

  /** @throws InvalidRequestError if the name is taken */
  add(name: string, credentials: Credentials): Account {
    if (this.registry.list().some((account) => account.name === name)) {
      throw new InvalidRequestError(`There is an account named '${name}' already.`, 'name');
    }
    const account = this.registry.create(name, credentials, 'operator');
    this.registry.announce(account, 'opened');
    return account;
  }

  /**
   * Replaces the credentials; the account logs in with the new ones.
   * @throws InvalidRequestError for an account of the configuration
   */
  update(id: string, credentials: Credentials): Account {
    const account = this.registry.get(id);
    if (account.source === 'configuration') {
      throw new InvalidRequestError(`'${account.name}' comes from the configuration: change it there.`);
    }
    this.registry.saveCredentials(account, credentials);
    return this.reopen(account);
  }

  enable(id: string): Account {
    return this.setEnabled(id, true);
  }

  /** Running answers go on to their end. */
  disable(id: string): Account {
    return this.setEnabled(id, false);
  }

  /** @throws InvalidRequestError for an account of the configuration, which would be back at the next start */
  remove(id: string): void {
    const account = this.registry.get(id);
    if (account.source === 'configuration') {
      throw new InvalidRequestError(
        `'${account.name}' comes from the configuration: remove it there, or disable it.`,
      );
    }
    this.registry.delete(account);
    // Holders of the object must find it unusable, too.
    account.isEnabled = false;
    this.registry.announce(account, 'closed');
  }

  /** Deletes the login state and failure, so that the account logs in anew. */
  login(id: string): Account {
    const account = this.registry.get(id);
    this.registry.forgetLogin(account);
    return this.reopen(account);
  }

  clearCooldown(id: string): Account {
    const account = this.registry.get(id);
    account.cooldown.clear();
    this.registry.saveCooldown(account);
    this.registry.announce(account, 'cleared');
    return account;
  }

  private setEnabled(id: string, isEnabled: boolean): Account {
    const account = this.registry.get(id);
    if (account.isEnabled !== isEnabled) {
      this.registry.saveEnabled(account, isEnabled);
      this.registry.announce(account, account.isUsable ? 'opened' : 'closed');
    }
    return account;
  }

  /** Sessions of the old login end; new ones log in. */
  private reopen(account: Account): Account {
    account.automaticLogins = 0;
    this.registry.announce(account, 'closed');
    if (account.isUsable) {
      this.registry.announce(account, 'opened');
    }
    return account;
  }
}
