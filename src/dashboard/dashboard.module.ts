import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountsController } from './accounts.controller.js';
import { SettingsController } from './settings.controller.js';

/** The JSON that the dashboard's pages read, under `/dashboard/api/`. */
@Module({
  imports: [AccountsModule],
  controllers: [AccountsController, SettingsController],
})
export class DashboardModule {}
