import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { type LogKind } from '../records/log-filter.js';

/** Query of `GET /log/stream`. */
export class StreamLogDto {
  static readonly refusesUnknown = true;

  @IsOptional()
  @IsIn(['request', 'network', 'all'], { message: '$property must be request, network or all' })
  kind: LogKind | 'all' = 'request';

  /** Cursor: `id` of the last event received, for clients that cannot send `Last-Event-ID`. */
  @IsOptional()
  @Matches(/^\d{1,16}$/, { message: '$property must be the id of an event' })
  after?: string;

  /** `0` omits the texts of prompts, answers and bodies. */
  @IsOptional()
  @IsIn(['0', '1'], { message: '$property must be 0 or 1' })
  content: '0' | '1' = '1';

  /** The key, or a ticket. */
  @IsOptional()
  @IsString({ message: '$property must be a text' })
  token?: string;
}
