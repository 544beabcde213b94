import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

const MESSAGE = '$property must be an integer from 1 to 10080';

/** Query of `GET /dashboard/api/overview`. */
export class OverviewQueryDto {
  static readonly refusesUnknown = true;

  /** Length of the window up to now; an hour by default, a week at most. */
  @Transform(({ value }) =>
    typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : (value as unknown),
  )
  @IsInt({ message: MESSAGE })
  @Min(1, { message: MESSAGE })
  @Max(10_080, { message: MESSAGE })
  minutes = 60;
}
