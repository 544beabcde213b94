import { Controller, Get, Post, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { callerKeyOf, ownerOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Public } from '../common/http/access/public.decorator.js';
import { Clock } from '../common/time/clock.js';
import { ListLogDto, toLogFilter } from './dto/list-log.dto.js';
import { StreamLogDto } from './dto/stream-log.dto.js';
import { LogJournal } from './journal/log-journal.js';
import { logCsv } from './log-csv.js';
import { LogReadLimiter } from './log-read-limiter.js';
import { type LogFilter } from './records/log-filter.js';
import { withoutUpstream } from './records/own-records.js';
import { LogStreamGuard } from './stream/log-stream.guard.js';
import { LogStream } from './stream/log-stream.js';
import { StreamTickets, TICKET_MS } from './stream/stream-tickets.js';

/** The log over HTTP: pages as JSON, changes as server-sent events. */
@NeedsRole('caller')
@Controller('log')
export class LogsController {
  constructor(
    private readonly journal: LogJournal,
    private readonly stream: LogStream,
    private readonly tickets: StreamTickets,
    private readonly limiter: LogReadLimiter,
    private readonly clock: Clock,
  ) {}

  @Public()
  @Get()
  @Redirect('/dashboard/logs', 302)
  redirect(): void {
    // Answered by the decorator.
  }

  /** Joins the stored JSON texts without parsing them: entries may be large. */
  @Get('json')
  async list(
    @Query() query: ListLogDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const owner = ownerOf(callerKeyOf(request));
    const isCsv = query.format === 'csv';
    const asked = toLogFilter(query, this.clock.now());
    const filter = owner === undefined ? asked : ownFilter(asked, owner);
    await this.limiter.enter(response, owner);
    const page = await this.journal.flush().page(filter);
    const texts = owner === undefined ? page.texts : page.texts.map(withoutUpstream);
    response.setHeader('Content-Type', isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
    if (isCsv) {
      sayFile(response, page.next);
      return logCsv(query.kind, texts);
    }
    return `{"entries":[${texts.join(',')}],"next":${JSON.stringify(page.next)}}`;
  }

  @Post('ticket')
  async issueTicket(
    @Req() request: Request,
  ): Promise<{ readonly ticket: string; readonly expiresInMs: number }> {
    return { ticket: await this.tickets.issue(callerKeyOf(request)), expiresInMs: TICKET_MS };
  }

  @Public()
  @UseGuards(LogStreamGuard)
  @Get('stream')
  follow(@Query() query: StreamLogDto, @Req() request: Request, @Res() response: Response): void {
    const options = { kind: query.kind, withTexts: query.content === '1', key: callerKeyOf(request) };
    this.stream.follow(request, response, options, query.after ?? lastEventId(request));
  }
}

/** Cursor of a reconnecting client. EventSource repeats any id it was given, so foreign ids are ignored, not refused. */
function lastEventId({ headers }: Request): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,16}$/.test(id) ? id : undefined;
}

/** CSV has no place for the cursor of the next page. */
function sayFile(response: Response, next: string | null): void {
  response.setHeader('Content-Disposition', 'attachment; filename="log.csv"');
  if (next !== null) {
    response.setHeader('x-next', next);
  }
}

/** A caller's own requests: what it may not see must not be found out by filters either. */
function ownFilter(filter: LogFilter, owner: string): LogFilter {
  const { kind, account, node, key = owner } = filter;
  if (kind === 'network' || account !== undefined || node !== undefined || key !== owner) {
    throw new GatewayError('permission_denied', 'With this key only your own requests can be seen.');
  }
  return { ...filter, key: owner, isCallers: true };
}
