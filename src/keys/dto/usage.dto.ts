import { IsIn, IsOptional, IsString, Length } from 'class-validator';
import { IntegerQuery } from '../../common/http/body/integer-query.decorator.js';

/** Query of `GET /v1/usage`. */
export class OwnUsageDto {
  static readonly refusesUnknown = true;

  /** Days up to today, in UTC. */
  @IntegerQuery({ min: 1, max: 366 })
  days = 30;
}

/** Query of `GET /dashboard/api/usage`. */
export class UsageDto extends OwnUsageDto {
  /** Name of the only key. */
  @IsOptional()
  @IsString({ message: '$property must be a text' })
  @Length(1, 63, { message: '$property must have at most 63 characters' })
  key?: string;

  @IsIn(['json', 'csv'], { message: '$property must be json or csv' })
  format: 'json' | 'csv' = 'json';
}
