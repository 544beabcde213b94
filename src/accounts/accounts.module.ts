import { Module } from '@nestjs/common';
import { StoreModule } from '../common/store/store.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { AccountStore } from './account-store.js';
import { AccountsService } from './accounts.service.js';
import { Random, SystemRandom } from './random.js';
import { SessionPool } from './session-pool.service.js';
import { UpstreamDispatcher } from './upstream-dispatcher.service.js';

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
