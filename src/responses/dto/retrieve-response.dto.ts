import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Min } from 'class-validator';
import { ToInteger } from '../../common/http/body/integer-query.decorator.js';

/** Query of `GET /v1/responses/{id}`. */
export class RetrieveResponseDto {
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : (value as unknown)))
  @IsBoolean({ message: '$property must be true or false' })
  @IsOptional()
  stream?: boolean;

  /** Number of the last event that the caller has. */
  @ToInteger()
  @Min(0, { message: '$property must not be less than 0' })
  @IsInt({ message: '$property must be an integer number' })
  @IsOptional()
  starting_after?: number;
}
