import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { FAILURE_REASONS, type FailureReason } from '../../common/errors/failure-reasons.js';
import { ToInteger } from '../../common/http/body/integer-query.decorator.js';
import { toInteger } from '../../common/text/integer.js';
import {
  DEFAULT_LIMIT,
  LOG_LEVELS,
  LOG_RANKINGS,
  type LogFilter,
  type LogKind,
  type LogLevel,
  type LogOutcome,
  type LogRanking,
  OUTCOMES,
} from '../records/log-filter.js';

const STATUS = new RegExp(`^([1-5]\\d\\d|[1-5]xx|failed|${OUTCOMES.join('|')})$`);

/** Empty form fields count as not given. */
const EmptyAsMissing = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

const TIME_MESSAGE = '$property must be Unix milliseconds or a date such as 2030-01-31T09:00:00Z';

/** A time of a day without a zone is read as UTC, as a day alone is: the caller need not know where the gateway stands. */
function inZone(date: string): string {
  return /[T ][\d:.]+$/.test(date) ? `${date.replace(' ', 'T')}Z` : date;
}

/** Unix milliseconds of a number or a date; other values stay for the check. */
const ToTime = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const text = String(value);
    const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(inZone(text)) : NaN;
    return Number.isNaN(at) ? toInteger(value) : at;
  });

/** Query of `GET /log/json`. */
export class ListLogDto {
  static readonly refusesUnknown = true;

  @IsOptional()
  @ToInteger()
  @IsInt({ message: '$property must be a whole number' })
  @Min(1, { message: '$property must be at least 1' })
  @Max(500, { message: '$property must be at most 500' })
  limit = DEFAULT_LIMIT;

  @IsOptional()
  @Matches(/^[1-9]\d{0,15}$/, { message: '$property must be the `next` of another page' })
  before?: string;

  @IsOptional()
  @EmptyAsMissing()
  @IsIn(['request', 'network'], { message: '$property must be request or network' })
  kind: LogKind = 'request';

  @IsOptional()
  @EmptyAsMissing()
  @IsIn(LOG_LEVELS, { message: `$property must be one of ${LOG_LEVELS.join(', ')}` })
  level?: LogLevel;

  /** Name of the caller's key. */
  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Length(1, 200, { message: '$property must have at most 200 characters' })
  key?: string;

  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Length(1, 200, { message: '$property must have at most 200 characters' })
  model?: string;

  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Length(1, 200, { message: '$property must have at most 200 characters' })
  account?: string;

  /** `1`: only exchanges that served a request, without page loads and logins. */
  @IsOptional()
  @EmptyAsMissing()
  @IsIn(['1'], { message: '$property must be 1' })
  served?: '1';

  /** `completion`: only requests for completions, as the overview counts them. */
  @IsOptional()
  @EmptyAsMissing()
  @IsIn(['completion'], { message: '$property must be completion' })
  operation?: 'completion';

  /** Shared by the turns of one conversation: the `conversation` of an entry. */
  @IsOptional()
  @EmptyAsMissing()
  @Matches(/^[0-9a-f]{16}$/, { message: '$property must be the `conversation` of an entry' })
  conversation?: string;

  /** Name of the gateway, where several have one log. */
  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Length(1, 200, { message: '$property must have at most 200 characters' })
  node?: string;

  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Matches(STATUS, {
    message: `$property must be a status such as 429, a class such as 5xx, or one of failed, ${OUTCOMES.join(', ')}`,
  })
  status?: string;

  @IsOptional()
  @EmptyAsMissing()
  @IsIn(FAILURE_REASONS, { message: `$property must be one of ${FAILURE_REASONS.join(', ')}` })
  reason?: FailureReason;

  /** Unix milliseconds, or a date as ISO 8601; UTC without a zone. */
  @IsOptional()
  @EmptyAsMissing()
  @ToTime()
  @IsInt({ message: TIME_MESSAGE })
  @Min(0, { message: TIME_MESSAGE })
  from?: number;

  /** As `from`; exclusive. */
  @IsOptional()
  @EmptyAsMissing()
  @ToTime()
  @IsInt({ message: TIME_MESSAGE })
  @Min(0, { message: TIME_MESSAGE })
  until?: number;

  @IsOptional()
  @EmptyAsMissing()
  @Transform(({ value }: { value: unknown }) => (/^\d{1,9}$/.test(String(value)) ? Number(value) : value))
  @IsInt({ message: '$property must be whole milliseconds' })
  min_ms?: number;

  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Length(1, 60, { message: '$property must have at most 60 characters' })
  client?: string;

  @IsOptional()
  @EmptyAsMissing()
  @IsIn(['newest', ...LOG_RANKINGS], {
    message: `$property must be one of newest, ${LOG_RANKINGS.join(', ')}`,
  })
  sort?: 'newest' | LogRanking;

  @IsOptional()
  @EmptyAsMissing()
  @IsString({ message: '$property must be a text' })
  @Length(1, 200, { message: '$property must have at most 200 characters' })
  q?: string;

  /** `0` omits the texts of prompts, answers and bodies. */
  @IsOptional()
  @IsIn(['0', '1'], { message: '$property must be 0 or 1' })
  content: '0' | '1' = '1';

  @IsIn(['json', 'csv'], { message: '$property must be json or csv' })
  format: 'json' | 'csv' = 'json';
}

/** @param now Unix milliseconds */
export function toLogFilter(
  {
    limit,
    before,
    kind,
    level,
    key,
    model,
    account,
    served,
    operation,
    conversation,
    node,
    status,
    reason,
    from,
    until,
    min_ms: minMs,
    client,
    sort,
    q,
  }: ListLogDto,
  now: number,
): LogFilter {
  return {
    limit,
    kind,
    before,
    level,
    key,
    model,
    account,
    served: served === undefined ? undefined : true,
    operation,
    conversation,
    node,
    reason,
    from,
    until,
    lasts: minMs === undefined ? undefined : { ms: minMs, since: now - minMs },
    client,
    sort,
    q,
    ...statusFilter(status),
  };
}

function statusFilter(status: string | undefined): Pick<LogFilter, 'status' | 'outcome'> {
  if (status === undefined) {
    return {};
  }
  if (!/^\d/.test(status)) {
    return { outcome: status as LogOutcome | 'failed' };
  }
  const from = Number(status.replace('xx', '00'));
  return { status: { from, to: status.endsWith('xx') ? from + 99 : from } };
}
