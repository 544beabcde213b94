import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { callerKeyOf } from '../../common/http/access/caller-key.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { requestId } from '../../common/http/answer/request-id.js';
import { AccountTests, type AccountTestView } from './account-tests.js';

/** Tests accounts. */
@NeedsRole('operator')
@Controller('dashboard/api/accounts/:id/test')
export class AccountTestController {
  constructor(private readonly tests: AccountTests) {}

  /** Has the account answer a question; ends when the operator leaves. */
  @Post()
  @HttpCode(200)
  test(
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AccountTestView> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const { method, path } = request;
    const key = callerKeyOf(request)?.name;
    return this.tests.run(id, { id: requestId(request), method, path, ...(key && { key }) }, left.signal);
  }
}
