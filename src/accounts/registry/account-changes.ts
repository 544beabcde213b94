import { type Observable, Subject } from 'rxjs';
import { type Account } from './account.js';

/**
 * A change of an account that concerns its sessions. `opened`: sessions may be opened (again), and one should be, to
 * prove the login. `closed`: no session may be used any more. `logged_out`: the sessions are useless, new ones log in
 * anew. `cooling` and `cleared`: a cooldown began or ended. `resized`: more or fewer sessions may be open.
 * `handed_over`: a person logs the account in by hand.
 */
export interface AccountChange {
  readonly account: Account;
  readonly kind: 'opened' | 'closed' | 'logged_out' | 'cooling' | 'cleared' | 'resized' | 'handed_over';
}

/** Tells of changes of accounts, until it is completed. */
export class AccountChanges {
  private readonly changes = new Subject<AccountChange>();
  readonly changes$: Observable<AccountChange> = this.changes.asObservable();

  announce(account: Account, kind: AccountChange['kind']): void {
    this.changes.next({ account, kind });
  }

  /** Its sessions belong to an earlier login: they end, and new ones log in if the account is in use. */
  announceReopened(account: Account): void {
    this.announce(account, 'closed');
    if (account.isUsable) {
      this.announce(account, 'opened');
    }
  }

  complete(): void {
    this.changes.complete();
  }
}
