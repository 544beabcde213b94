import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type HandOver } from '../../accounts/hand-over/hand-over.js';
import { LoginHandOver } from '../../accounts/hand-over/login-hand-over.js';
import { AuditLog } from '../../common/audit/audit-log.js';
import { Settings } from '../../common/config/settings.js';
import { actorOf, callerKeyOf } from '../../common/http/access/caller-key.js';
import { KeyRing } from '../../common/http/access/key-ring.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { HandOverInputDto } from '../dto/hand-over-input.dto.js';
import { HandOverStream } from './hand-over-stream.js';

/** Logs accounts in by hand, on a live view of the page. */
@NeedsRole('operator')
@Controller('dashboard/api/accounts/:id/hand-over')
export class HandOverController {
  constructor(
    private readonly handOvers: LoginHandOver,
    private readonly ring: KeyRing,
    private readonly settings: Settings,
    private readonly audit: AuditLog,
  ) {}

  /** Answers with the pictures of the page, as server-sent events, until the login has ended. */
  @Post()
  begin(@Param('id') id: string, @Req() request: Request, @Res() response: Response): void {
    const view = new HandOverStream(response);
    const handOver = this.handOvers.begin(id, view, view.left);
    const key = callerKeyOf(request);
    const mayLook = (): boolean => this.ring.isCurrent(key);
    const keys = this.ring.changes$.subscribe(() => mayLook() || view.leave());
    view.begin(handOver.id, this.settings.HEARTBEAT_INTERVAL_MS, mayLook);
    void this.follow(handOver, actorOf(request), view).finally(() => keys.unsubscribe());
  }

  /** What the operator does in the page; done once it is answered. */
  @Post('input')
  @HttpCode(204)
  async act(@Param('id') id: string, @Body() { handOver, inputs }: HandOverInputDto): Promise<void> {
    await this.handOvers.act(id, handOver, inputs);
  }

  private async follow(handOver: HandOver, actor: string | null, view: HandOverStream): Promise<void> {
    const { account: subject, ended } = handOver;
    await this.audit.add({ actor, action: 'account.hand_over', subject });
    const end = await ended;
    const { outcome, durationMs } = end;
    await this.audit.add({ actor, action: 'account.hand_over_end', subject, after: { outcome, durationMs } });
    view.end(end);
  }
}
