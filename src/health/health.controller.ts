import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../common/http/access/public.decorator.js';
import { type Readiness, ReadinessService } from './readiness.service.js';

/** Probes for supervisors and load balancers. Public, so the answer is a single word. */
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The same as `/health/live`, at the address that people and tools guess. */
  @Get()
  guessed(): { status: 'ok' } {
    return this.live();
  }

  /** Liveness: 200 while the process answers. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Readiness: 200 if requests can be served, else 503. */
  @Get('ready')
  ready(@Res({ passthrough: true }) response: Response): { status: Readiness } {
    const status = this.readiness.state();
    response.status(status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status };
  }
}
