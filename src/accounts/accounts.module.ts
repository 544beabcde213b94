import { Module } from '@nestjs/common';
import { StoreModule } from '../common/store/store.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { UpstreamDispatcher } from './dispatch/upstream-dispatcher.js';
import { SessionPool } from './pool/session-pool.js';
import { AccountStore } from './registry/account-store.js';
import { AccountsService } from './registry/accounts.service.js';
import { Random, SystemRandom } from './registry/random.js';

/** Accounts, their sessions, and the way of a prompt to the upstream. */
@Module({
  imports: [StoreModule, UpstreamModule],
  providers: [
    AccountStore,
    AccountsService,
    SessionPool,
    UpstreamDispatcher,
    { provide: Random, useClass: SystemRandom },
  ],
  exports: [AccountsService, SessionPool, UpstreamDispatcher],
})
export class AccountsModule {}
