import { applyDecorators } from '@nestjs/common';
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

/**
 * A condition that need not be given; empty form fields count as not given.
 * @param rules those that come first in the order in which faults are reported
 */
const Condition = (...rules: readonly PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(
    ...rules.toReversed(),
    Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value)),
    IsOptional(),
  );

const TextCondition = (maxChars = 200): PropertyDecorator =>
  Condition(
    IsString({ message: '$property must be a text' }),
    Length(1, maxChars, { message: `$property must have at most ${maxChars} characters` }),
  );

const WordCondition = (
  words: readonly string[],
  message = `$property must be one of ${words.join(', ')}`,
): PropertyDecorator => Condition(IsIn(words, { message }));

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

const TimeCondition = (): PropertyDecorator =>
  Condition(ToTime(), IsInt({ message: TIME_MESSAGE }), Min(0, { message: TIME_MESSAGE }));

/** Query of `GET /log/json`. */
export class ListLogDto {
  static readonly refusesUnknown = true;

  @IsOptional()
  @ToInteger()
  @IsInt({ message: '$property must be a whole number' })
  @Min(1, { message: '$property must be at least 1' })
  @Max(500, { message: '$property must be at most 500' })
  limit = DEFAULT_LIMIT;

  @Condition(Matches(/^[1-9]\d{0,15}$/, { message: '$property must be the `next` of another page' }))
  before?: string;

  @WordCondition(['request', 'network'], '$property must be request or network')
  kind: LogKind = 'request';

  @WordCondition(LOG_LEVELS)
  level?: LogLevel;

  /** Name of the caller's key. */
  @TextCondition()
  key?: string;

  @TextCondition()
  model?: string;

  @TextCondition()
  account?: string;

  /** `1`: only exchanges that served a request, without page loads and logins. */
  @WordCondition(['1'], '$property must be 1')
  served?: '1';

  /** `completion`: only requests for completions, as the overview counts them. */
  @WordCondition(['completion'], '$property must be completion')
  operation?: 'completion';

  /** Shared by the turns of one conversation: the `conversation` of an entry. */
  @Condition(Matches(/^[0-9a-f]{16}$/, { message: '$property must be the `conversation` of an entry' }))
  conversation?: string;

  /** Name of the gateway, where several have one log. */
  @TextCondition()
  node?: string;

  @Condition(
    IsString({ message: '$property must be a text' }),
    Matches(STATUS, {
      message: `$property must be a status such as 429, a class such as 5xx, or one of failed, ${OUTCOMES.join(', ')}`,
    }),
  )
  status?: string;

  @WordCondition(FAILURE_REASONS)
  reason?: FailureReason;

  /** Unix milliseconds, or a date as ISO 8601; UTC without a zone. */
  @TimeCondition()
  from?: number;

  /** As `from`; exclusive. */
  @TimeCondition()
  until?: number;

  @Condition(
    Transform(({ value }: { value: unknown }) => (/^\d{1,9}$/.test(String(value)) ? Number(value) : value)),
    IsInt({ message: '$property must be whole milliseconds' }),
  )
  min_ms?: number;

  @TextCondition(60)
  client?: string;

  @WordCondition(['newest', ...LOG_RANKINGS])
  sort?: 'newest' | LogRanking;

  @TextCondition()
  q?: string;

  /** `0` omits the texts of prompts, answers and bodies. */
  @IsOptional()
  @IsIn(['0', '1'], { message: '$property must be 0 or 1' })
  content: '0' | '1' = '1';

  @IsIn(['json', 'csv'], { message: '$property must be json or csv' })
  format: 'json' | 'csv' = 'json';
}

/** @param now Unix milliseconds */
export function toLogFilter(query: ListLogDto, now: number): LogFilter {
  const { content, format, served, status, min_ms: minMs, ...conditions } = query;
  return {
    ...conditions,
    served: served === undefined ? undefined : true,
    lasts: minMs === undefined ? undefined : { ms: minMs, since: now - minMs },
    ...statusFilter(status),
    withTexts: content === '1' && format === 'json',
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
