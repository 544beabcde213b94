import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { HealthController } from './health.controller.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [AccountsModule],
  controllers: [HealthController],
  providers: [ReadinessService],
})
export class HealthModule {}
