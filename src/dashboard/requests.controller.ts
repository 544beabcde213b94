import { Controller, Get, Param } from '@nestjs/common';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { LogsService } from '../logs/logs.service.js';
import { type NetworkRecord } from '../logs/records/network-record.js';
import { type RequestLogEntry } from '../logs/records/request-log-entry.js';

/** One request with its exchanges upstream. */
@NeedsRole('operator')
@Controller('dashboard/api/requests')
export class RequestsController {
  constructor(private readonly logs: LogsService) {}

  @Get(':id')
  async read(
    @Param('id') id: string,
  ): Promise<{ entry: RequestLogEntry; network: readonly NetworkRecord[] }> {
    const found = await this.logs.find(id);
    if (!found) {
      throw new GatewayError('not_found', 'There is no such request in the log.');
    }
    return { entry: found.entry, network: found.network };
  }
}
