import { IsOptional } from 'class-validator';
import { IntegerQuery } from '../../common/http/body/integer-query.decorator.js';

/** Query of `GET /dashboard/api/audit`. */
export class ListAuditDto {
  static readonly refusesUnknown = true;

  @IntegerQuery({ min: 1, max: 500 })
  limit = 50;

  @IsOptional()
  @IntegerQuery({ min: 1, message: '$property must be the number of an entry' })
  before?: number;
}
