import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { HealthController } from './health.controller.js';
import { LoopStallWatch } from './loop-stall-watch.js';
import { ReadinessService } from './readiness.service.js';

/** Liveness and readiness for balancers and orchestrators. */
@Module({
  imports: [AccountsModule, UpstreamModule],
  controllers: [HealthController],
  providers: [LoopStallWatch, ReadinessService],
  exports: [ReadinessService],
})
export class HealthModule {}
