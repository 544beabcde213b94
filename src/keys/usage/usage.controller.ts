import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { callerKeyOf } from '../../common/http/access/caller-key.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { type UsageRow } from '../../logs/records/usage.js';
import { OwnUsageDto, UsageDto } from '../dto/usage.dto.js';
import { type OwnUsage, toOwnUsage } from './own-usage.js';
import { UsageService } from './usage.service.js';
import { usageCsv } from './usage-csv.js';

/** Usage: all of it for operators, and to callers their own. */
@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @NeedsRole('caller')
  @Get('v1/usage')
  async own(@Req() request: Request, @Query() { days }: OwnUsageDto): Promise<OwnUsage> {
    return toOwnUsage(await this.usage.read(days, callerKeyOf(request)?.name ?? ''));
  }

  @NeedsRole('operator')
  @Get('dashboard/api/usage')
  async all(
    @Query() { days, key, format }: UsageDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | { readonly rows: readonly UsageRow[] }> {
    const rows = await this.usage.read(days, key);
    if (format === 'json') {
      return { rows };
    }
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', 'attachment; filename="usage.csv"');
    return usageCsv(rows);
  }
}
