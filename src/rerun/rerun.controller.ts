import { Body, Controller, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { RerunDto } from './dto/rerun.dto.js';
import { type RerunResult, RerunService } from './rerun.service.js';

/** Recordings of what the upstream sent, and completions run again from them. */
@NeedsRole('operator')
@Controller('dashboard/api/requests/:id')
export class RerunController {
  constructor(private readonly reruns: RerunService) {}

  /** The recording as a file for `npm run rerun`. */
  @Get('recording')
  @Header('Content-Type', 'application/json; charset=utf-8')
  read(@Param('id') id: string): Promise<string> {
    return this.reruns.recording(id);
  }

  /** Runs the request again from its recording; the upstream is not asked, and nothing is logged. */
  @Post('rerun')
  @HttpCode(200)
  run(
    @Param('id') id: string,
    @Body() { TOOL_MODE, TOOL_COMPRESSION, ECHO_ACTION }: RerunDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RerunResult> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const changes = {
      ...(TOOL_MODE && { TOOL_MODE }),
      ...(TOOL_COMPRESSION !== undefined && { TOOL_COMPRESSION }),
      ...(ECHO_ACTION && { ECHO_ACTION }),
    };
    return this.reruns.run(id, changes, left.signal);
  }
}
