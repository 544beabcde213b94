import { Controller, Get } from '@nestjs/common';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { Clock } from '../../common/time/clock.js';
import { UsageService } from '../../keys/usage/usage.service.js';
import { type AccountDays, accountDays, daysUpTo } from './account-days.js';

const DAYS = 14;

/** How each account did over the last two weeks, of which usage tells longer than the log. */
@NeedsRole('operator')
@Controller('dashboard/api/accounts/days')
export class AccountDaysController {
  constructor(
    private readonly usage: UsageService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async read(): Promise<{ readonly days: readonly string[]; readonly accounts: readonly AccountDays[] }> {
    const days = daysUpTo(this.clock.now(), DAYS);
    return { days, accounts: accountDays(await this.usage.read(DAYS), days) };
  }
}
