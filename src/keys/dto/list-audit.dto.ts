import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const NUMBER = Transform(({ value }: { value: unknown }) =>
  /^\d{1,15}$/.test(String(value)) ? Number(value) : value,
);
const LIMIT_MESSAGE = '$property must be an integer from 1 to 500';
const BEFORE_MESSAGE = '$property must be the number of an entry';

/** Query of `GET /dashboard/api/audit`. */
export class ListAuditDto {
  static readonly refusesUnknown = true;

  @NUMBER
  @IsInt({ message: LIMIT_MESSAGE })
  @Min(1, { message: LIMIT_MESSAGE })
  @Max(500, { message: LIMIT_MESSAGE })
  limit = 50;

  @IsOptional()
  @NUMBER
  @IsInt({ message: BEFORE_MESSAGE })
  @Min(1, { message: BEFORE_MESSAGE })
  before?: number;
}
