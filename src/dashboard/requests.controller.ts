import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { callerKeyOf, ownerOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { LogReadLimiter } from '../logs/log-read-limiter.js';
import { LogsService } from '../logs/logs.service.js';
import { type NetworkRecord } from '../logs/records/network-record.js';
import { isOwn, toOwnEntry } from '../logs/records/own-records.js';

/** One request with its exchanges upstream; to callers, one of their own without these. */
@NeedsRole('caller')
@Controller('dashboard/api/requests')
export class RequestsController {
  constructor(
    private readonly logs: LogsService,
    private readonly limiter: LogReadLimiter,
  ) {}

  @Get(':id')
  async read(
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ entry: object; network: readonly NetworkRecord[] }> {
    const owner = ownerOf(callerKeyOf(request));
    await this.limiter.enter(response, owner);
    const found = await this.logs.find(id);
    // To a caller, requests of others are like requests that never were.
    if (!found || (owner !== undefined && !isOwn(found.entry, owner))) {
      throw new GatewayError('not_found', 'There is no such request in the log.');
    }
    const { entry, network } = found;
    return owner === undefined ? { entry, network } : { entry: toOwnEntry(entry), network: [] };
  }
}
