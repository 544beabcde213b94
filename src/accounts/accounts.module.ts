import { Module } from '@nestjs/common';
import { StoreModule } from '../common/store/store.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { UpstreamDispatcher } from './dispatch/upstream-dispatcher.js';
import { SessionPool } from './pool/session-pool.js';
import { AccountCommands } from './registry/account-commands.js';
import { AccountHealth } from './registry/account-health.js';
import { AccountRegistry } from './registry/account-registry.js';
import { AccountStore } from './registry/account-store.js';
import { LoginHealer } from './registry/login-healer.js';
import { Random, SystemRandom } from './registry/random.js';

/** Accounts, their sessions, and the dispatch of prompts to the upstream. */
@Module({
  imports: [StoreModule, UpstreamModule],
  providers: [
    AccountStore,
    AccountRegistry,
    AccountHealth,
    AccountCommands,
    LoginHealer,
    SessionPool,
    { provide: Dispatcher, useClass: UpstreamDispatcher },
    { provide: Random, useClass: SystemRandom },
  ],
  exports: [AccountRegistry, AccountHealth, AccountCommands, SessionPool, Dispatcher],
})
export class AccountsModule {}
