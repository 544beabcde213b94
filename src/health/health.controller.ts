import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../common/http/access/public.decorator.js';
import { type Readiness, ReadinessService } from './readiness.service.js';

/** For whatever starts the gateway and sends it traffic. Without the key, so it says one word and no more. */
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Whether the process works; if it does not, starting it anew may help. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Whether requests should be sent here: 200, or 503. */
  @Get('ready')
  ready(@Res({ passthrough: true }) response: Response): { status: Readiness } {
    const status = this.readiness.state();
    response.status(status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status };
  }
}
