import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { type Request } from 'express';
import { AuditLog } from '../common/audit/audit-log.js';
import { actorOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { FullTexts } from '../logs/full-texts.js';
import { KeepTextsDto } from './dto/keep-texts.dto.js';

/** Keeps full texts for a time, for an operator who looks for a fault. */
@NeedsRole('operator')
@Controller('dashboard/api/full-texts')
export class FullTextsController {
  constructor(
    private readonly fullTexts: FullTexts,
    private readonly audit: AuditLog,
  ) {}

  @Post()
  @HttpCode(200)
  async keep(
    @Req() request: Request,
    @Body() { minutes }: KeepTextsDto,
  ): Promise<{ readonly remainingMs: number }> {
    this.fullTexts.keepFor(minutes);
    await this.audit.add({
      actor: actorOf(request),
      action: 'texts.keep',
      subject: 'full texts',
      after: { minutes },
    });
    return { remainingMs: this.fullTexts.remainingMs };
  }
}
