import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

const DAYS_MESSAGE = '$property must be an integer from 1 to 366';

/** Query of `GET /v1/usage`. */
export class OwnUsageDto {
  static readonly refusesUnknown = true;

  /** Days up to today, in UTC. */
  @Transform(({ value }: { value: unknown }) => (/^\d{1,4}$/.test(String(value)) ? Number(value) : value))
  @IsInt({ message: DAYS_MESSAGE })
  @Min(1, { message: DAYS_MESSAGE })
  @Max(366, { message: DAYS_MESSAGE })
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
